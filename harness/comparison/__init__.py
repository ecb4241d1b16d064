"""Two runs side by side: which metrics differ, on which questions, and at which station."""
