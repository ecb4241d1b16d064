"""Crontab lines and systemd units, read by what reads them: a shell, systemd."""

import shlex
import shutil
import subprocess
from configparser import ConfigParser
from dataclasses import replace

import pytest

from harness.errors import ConfigError
from harness.indexing.schedule import Job, crontab, systemd

CALL = ("/opt/my env/bin/python", "-m", "harness", "index", "sync", "/data/our docs 100%", "a='b c'", "--index", '/srv/$x"y z')
JOB = Job(CALL, "/work/a project", {"HARNESS_CACHE_DIR": "/var/cache 5%"}, "day")


def cron_command(text: str) -> str:
    """What cron hands to the shell: five fields off, then \\% is % and a bare % would end the line."""
    (line,) = [line for line in text.splitlines() if not line.startswith("#")]
    command = line.split(" ", 5)[5]
    assert "%" not in command.replace(r"\%", "")
    return command.replace(r"\%", "%")


def test_the_crontab_line_runs_the_command_word_by_word():
    words = shlex.split(cron_command(crontab(JOB)))
    assert words == ["cd", "/work/a project", "&&", "HARNESS_CACHE_DIR=/var/cache 5%", *CALL]


def test_the_shell_reads_the_crontab_line_as_it_was_meant(tmp_path):
    job = Job(("/usr/bin/printf", "%s|", *CALL[5:]), str(tmp_path), {}, "day")
    done = subprocess.run(["/bin/sh", "-c", cron_command(crontab(job))], capture_output=True, text=True, check=True)
    assert done.stdout.split("|")[:-1] == list(CALL[5:])


@pytest.mark.parametrize("format_", [crontab, systemd])
@pytest.mark.parametrize("letter", ["\n", "\r", "\0", "\\"])
@pytest.mark.parametrize(
    "place",
    [{"call": ("python", "a{}b")}, {"folder": "/a{}"}, {"environment": {"HARNESS_CACHE_DIR": "/{}"}}],
    ids=lambda place: next(iter(place)),
)
def test_what_cron_or_systemd_would_unescape_is_refused(format_, letter, place):
    def filled(value):
        if isinstance(value, str):
            return value.format(letter)
        return {key: filled(item) for key, item in value.items()} if isinstance(value, dict) else tuple(map(filled, value))

    with pytest.raises(ConfigError, match="I010"):
        format_(replace(JOB, **{name: filled(value) for name, value in place.items()}))


@pytest.mark.parametrize(("every", "fields"), [("hour", "17 * * * *"), ("day", "17 3 * * *"), ("week", "17 3 * * 0")])
def test_how_often(every, fields):
    assert f"\n{fields} cd " in crontab(Job(CALL, "/work", {}, every))


def units(text: str) -> dict[str, str]:
    """The two files by name."""
    service, timer = text.split("\n\n# ~")
    return {part.splitlines()[0].rpartition("/")[2]: part.partition("\n")[2] for part in (service, timer)}


def test_systemd_gets_a_service_and_a_timer_of_one_name():
    names = list(units(systemd(JOB)))
    assert names[0].removesuffix(".service") == names[1].removesuffix(".timer")


def test_the_service_runs_where_the_project_lies_and_the_timer_catches_up():
    service, timer = units(systemd(JOB)).values()
    parsed = ConfigParser(interpolation=None, strict=False)
    parsed.optionxform = str
    parsed.read_string(service + "\n" + "\n".join(line for line in timer.splitlines() if not line.startswith("#")))
    assert parsed["Service"]["WorkingDirectory"] == "/work/a project"
    assert parsed["Service"]["Environment"] == '"HARNESS_CACHE_DIR=/var/cache 5%%"'
    assert parsed["Timer"] == {"OnCalendar": "*-*-* 03:17:00", "Persistent": "true"}


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
@pytest.mark.parametrize("every", ["hour", "day", "week"])
def test_systemd_accepts_the_units(tmp_path, every):
    folder = tmp_path / "a project 5%"
    folder.mkdir()
    call = ("/bin/echo", *CALL[1:])
    written = []
    for name, text in units(systemd(Job(call, str(folder), {"HARNESS_CACHE_DIR": "/a b"}, every))).items():
        written.append(tmp_path / name)
        written[-1].write_text(text)
    done = subprocess.run(["systemd-analyze", "verify", "--user", "--man=no", *written], capture_output=True, text=True)
    assert [line for line in done.stderr.splitlines() if "harness-index" in line] == []
