"""Work in a thread of its own."""

import threading

import pytest

from harness.llm.aside import Aside


def test_the_result_and_the_error_of_the_work_are_those_of_whoever_waits() -> None:
    assert Aside(lambda: 5).result() == 5
    fault = ValueError("a fault")
    with pytest.raises(ValueError, match="a fault") as caught:
        Aside(lambda: (_ for _ in ()).throw(fault)).result()
    assert caught.value is fault


def test_what_comes_after_is_done_in_the_thread_once_the_work_has_ended() -> None:
    seen, over = [], threading.Event()

    def after(task: Aside[None]) -> None:
        seen.append((task.done.is_set(), threading.current_thread().name))
        over.set()

    Aside(lambda: None, after).result()
    assert over.wait(10)
    assert seen == [(True, "aside")]


def test_the_process_does_not_wait_for_the_work() -> None:
    ended = threading.Event()
    task = Aside(lambda: ended.wait(30))
    assert not task.done.is_set()
    assert [thread.daemon for thread in threading.enumerate() if thread.name == "aside"].count(True) >= 1
    ended.set()
    assert task.result()
