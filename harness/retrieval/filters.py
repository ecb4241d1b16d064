"""What an asker may see. The result goes into `Query.allowed`, so that it holds before anything is ranked."""

from collections.abc import Collection, Iterable, Sequence

from harness.types import Chunk, Document, Filter


def visible(documents: Sequence[Document], tenant: str, as_of: str) -> frozenset[str]:
    """Ids of the documents that an asker (persona) may see on an ISO date: `sees` over a corpus, the newest of each series."""
    held = [item for item in documents if sees(item, tenant, as_of)]
    newest = newest_of_series(held)
    return frozenset(item.doc_id for item in held if not item.series or newest[item.series].doc_id == item.doc_id)


def newest_of_series(documents: Iterable[Document]) -> dict[str, Document]:
    """The newest document of each series by `age`."""
    return {item.series: item for item in sorted(documents, key=age) if item.series}


def age(document: Document) -> tuple[str, str, str]:
    """The order of a series, oldest first: `valid_from`, then `updated_at`, then doc_id."""
    return document.valid_from, document.updated_at, document.doc_id


def sees(document: Document, persona: str, as_of: str) -> bool:
    """Whether an asker may see a document on an ISO date, its series not looked at.

    Tenant and access list must both admit the asker. A document holds from `valid_from` up to, but not on, `valid_to`;
    an empty end is open. Without a day every version holds, and whatever was withdrawn is gone.
    """
    return (
        admits(document.tenant, document.acl, persona)
        and holds(document.valid_from, document.valid_to, as_of)
        and not withdrawn(document.deleted_at, as_of)
    )


def admits(tenant: str, acl: Collection[str], persona: str) -> bool:
    """Whether a tenant's document with an access list is open to an asker: both must admit, empty is everybody.

    An asker without a name (empty persona) stands in no list.
    """
    return tenant in ("", persona) and (not acl or (bool(persona) and persona in acl))


def holds(start: str, end: str, as_of: str) -> bool:
    """Whether a day lies between the first day and the day it ends, which is out; without a day it does."""
    return not as_of or (start <= as_of and (not end or as_of < end))


def withdrawn(deleted_at: str, as_of: str) -> bool:
    """Whether a document is withdrawn on a day; without a day, whether it ever was."""
    return bool(deleted_at) and (not as_of or deleted_at <= as_of)


def finds(admitted: Filter, entry: Chunk) -> bool:
    """Whether a filter admits an entry: asker, document and kind."""
    return (
        (admitted.persona is None or admits(entry.origin.tenant, entry.origin.acl, admitted.persona))
        and (admitted.allowed is None or entry.span.doc_id in admitted.allowed)
        and (admitted.kinds is None or entry.kind in admitted.kinds)
    )
