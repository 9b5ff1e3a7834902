"""Learning from the games of experts: records, counted positions, and values learnt from them.

Playing with what was learnt (``value``, ``perceptron``, ``patterns``) needs no PyTorch; learning it
does (``historic``, ``imitation``).
"""
