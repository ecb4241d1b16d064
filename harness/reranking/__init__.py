"""Rerankers, one a file: a ranking in, the same chunks in a better order out."""
