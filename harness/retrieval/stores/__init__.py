"""Vector stores, one a file."""
