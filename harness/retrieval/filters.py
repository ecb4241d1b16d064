"""What an asker may see. The result goes into `Query.allowed`, so that it holds before anything is ranked."""

from collections.abc import Sequence

from harness.types import Document


def visible(documents: Sequence[Document], tenant: str, as_of: str) -> frozenset[str]:
    """Ids of the documents that an asker of a tenant may see on an ISO date.

    A document of no tenant is everybody's; an asker of no tenant sees only those. A document holds from `valid_from`
    up to, but not on, `valid_to`; an empty end is open. An empty `as_of` asks for no date.
    """
    return frozenset(item.doc_id for item in documents if item.tenant in ("", tenant) and _holds(item, as_of))


def _holds(document: Document, as_of: str) -> bool:
    if not as_of:
        return True
    return document.valid_from <= as_of and (not document.valid_to or as_of < document.valid_to)
