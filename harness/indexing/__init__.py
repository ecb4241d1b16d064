"""The index's life: built once, kept up to date, never mixed."""
