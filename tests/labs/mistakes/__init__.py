"""Plausible mistakes and planted answers, one module a lab."""
