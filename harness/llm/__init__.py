"""Clients of the LLM protocol; retry, budget and price live here and nowhere else."""
