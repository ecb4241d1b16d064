"""One metric a file: name, formula, source, direction, range, and what it gives where it does not apply."""
