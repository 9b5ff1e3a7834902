"""The exercises of the tutorial, and what checks an agent that solves them."""
