"""Microchess tablebases: what endings with few pieces are worth, by retrograde analysis.

docs/design/tablebases.md says what an entry means.
"""
