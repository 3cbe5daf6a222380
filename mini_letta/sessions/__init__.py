"""What was said, as a log that is only ever appended to; and what the model sees of it."""
