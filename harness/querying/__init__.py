"""From a question to the queries sent to the index."""
