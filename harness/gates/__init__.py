"""Rules, an accepted baseline and a record give verdicts; verdicts give an exit code."""
