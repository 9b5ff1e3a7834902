"""Learning from the games of experts: records, counted positions, value functions.

Playing with the result (``value``, ``perceptron``, ``patterns``) needs no PyTorch; learning does
(``historic``, ``imitation``).
"""
