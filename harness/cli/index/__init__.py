"""Commands of the index's life: `harness index ...`."""
