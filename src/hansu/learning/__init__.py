"""Players that learn: self-play, replay buffer, networks, training, and the models that result.

Playing with a model needs ONNX Runtime only (``model``). Training needs PyTorch, which comes with
the extra ``learn``; nothing outside this package imports it.
"""

import os

# Threads that wait for each other must sleep, not spin: on a machine that is also busy otherwise
# spinning made the same network ten times slower. It is read when PyTorch is first imported.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
