"""Paired tests, intervals, multiplicity and power: numbers in, numbers out, every random draw seeded."""
