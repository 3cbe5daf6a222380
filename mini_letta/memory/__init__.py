"""The memory repository and its gatekeeper."""
