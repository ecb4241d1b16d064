"""From documents to chunks: one chunker a file."""
