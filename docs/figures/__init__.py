"""The figures of the site, drawn from measurements: ``python -m docs.figures`` draws them all.

Every figure is drawn twice, with English and with Korean words. Nothing depends on the machine:
seeds are fixed and searches are counted, not timed.
"""
