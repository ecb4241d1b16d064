"""Retrievers: sparse, dense, and what an asker may see."""
