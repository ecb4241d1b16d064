"""Proposing questions for a golden set: by rules, by a language model, from failed questions and from logged queries."""
