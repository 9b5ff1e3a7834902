"""The packages that only extras of hansu bring, and how they are imported."""

EXTRAS = {
    "bitbully": "bitbully",
    "bitbully-databases": "bitbully_databases",
    "numba-cuda": "numba_cuda",
    "onnx": "onnx",
    "open_spiel": "pyspiel",
    "pettingzoo": "pettingzoo",
    "psycopg": "psycopg",
    "ray": "ray",
    "tensorboard": "tensorboard",
    "torch": "torch",
}
