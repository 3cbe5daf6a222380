"""From memory to the system prompt the model reads."""
