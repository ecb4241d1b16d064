"""What an asker may see. The result goes into `Query.allowed`, so that it holds before anything is ranked."""

from collections.abc import Collection, Sequence

from harness.types import Document


def visible(documents: Sequence[Document], tenant: str, as_of: str) -> frozenset[str]:
    """Ids of the documents that an asker (persona) may see on an ISO date: `sees` over a corpus."""
    return frozenset(item.doc_id for item in documents if sees(item, tenant, as_of))


def sees(document: Document, persona: str, as_of: str) -> bool:
    """Whether an asker may see a document on an ISO date.

    Tenant and access list must both admit the asker. A document holds from `valid_from` up to, but not on, `valid_to`;
    an empty end is open. An empty `as_of` asks for no date.
    """
    return admits(document.tenant, document.acl, persona) and _holds(document, as_of)


def admits(tenant: str, acl: Collection[str], persona: str) -> bool:
    """Whether tenant and access list admit an asker; an asker without a name sees only what has neither.

    A document of no tenant is everybody's; one with an access list only theirs who stand in it (deny by default).
    """
    return tenant in ("", persona) and (not acl or (bool(persona) and persona in acl))


def _holds(document: Document, as_of: str) -> bool:
    if not as_of:
        return True
    return document.valid_from <= as_of and (not document.valid_to or as_of < document.valid_to)
