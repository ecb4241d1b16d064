"""Records in, text out: terminal, Markdown, HTML, JUnit. No score, interval or verdict is made here."""
