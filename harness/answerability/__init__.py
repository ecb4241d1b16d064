"""Is there anything good enough to answer from? Asked after reranking, before any generation."""
