"""Where finished runs are logged. Tracking shows verdicts; it never decides them."""
