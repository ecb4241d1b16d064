"""Golden sets in the formats of others: one module a format, each with `read` and `write`."""
