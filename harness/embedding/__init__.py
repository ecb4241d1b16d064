"""Embedders, one a file: texts in, unit vectors out."""
