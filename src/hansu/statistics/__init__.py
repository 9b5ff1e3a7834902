"""What games say about strength: counts that add up, Elo, and how sure one can be."""
