"""mini_letta: a small, readable agent memory whose every stage can be imported."""
