"""Prompts, generators, the citation parser and what verification does to an answer."""
