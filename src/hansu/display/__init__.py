"""What notebooks, pages and reports share: safe markup, small charts, one look.

Nothing here needs a network, a script or a library: pictures are SVG text.
"""
