"""`harness golden`: check, describe, compare, divide, import, export and extend golden sets."""
