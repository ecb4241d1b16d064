"""Golden sets: card, questions, evidence resolved to spans, import and export."""
