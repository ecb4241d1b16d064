"""Questions that a chunk answers, written when it is indexed (doc2query)."""
