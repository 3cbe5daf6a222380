"""Who answers: a mock that needs no network, or a real endpoint. Nothing here knows git."""
