"""The figures of the site, drawn from measurements: ``python -m docs.figures`` draws them all.

Every figure is drawn twice, with English and with Korean words. Only the one of speed depends on
the machine: elsewhere seeds are fixed, and searches are counted, not timed.
"""
