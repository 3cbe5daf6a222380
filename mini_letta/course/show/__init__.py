"""Pictures for notebooks: commit graph, memory with its budgets, one turn.

    from mini_letta.course.show import commit_graph, memory_tree, turn_trace

Each returns a :class:`Picture`, an SVG with a twin in plain text that says the same; as the last
expression of a cell it shows. Whatever a memory holds may be handed over as it is: texts are
escaped, shortened, and what cannot be seen is written out.
"""

from mini_letta.course.show.graph import commit_graph
from mini_letta.course.show.picture import Picture
from mini_letta.course.show.trace import turn_trace
from mini_letta.course.show.tree import memory_tree

__all__ = ["Picture", "commit_graph", "memory_tree", "turn_trace"]
