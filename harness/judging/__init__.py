"""Judges: claim splitting, lexical support, ragas."""
