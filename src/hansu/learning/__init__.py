"""Learning: self-play, replay buffer, networks, training, and the resulting models.

Playing with a model needs ONNX Runtime only (``model``). Training needs PyTorch, which comes with
the extra ``learn``; nothing outside this package imports it.
"""

import os

# Waiting threads must sleep, not spin: on a busy machine spinning made the same network ten times
# slower. PyTorch reads this when it is first imported.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
