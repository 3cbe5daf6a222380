"""The course around the harness: notebooks, their workbench, progress and reports."""
