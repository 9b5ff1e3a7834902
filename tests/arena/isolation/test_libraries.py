"""Honest agents with the usual libraries play as they would at home."""

import pytest

import hansu
from hansu.arena.isolation.limits import SandboxLimits
from hansu.arena.player import Fault, LocalPlayer
from hansu.arena.referee import play
from tests.arena.isolation.conftest import BOTH

BEGIN = "import hansu\n"
AGENT = """
class Honest(hansu.Agent):
    def act(self, state):
        return next(iter(state.legal_moves))
"""


def evidence(seated, tmp_path, code, **options):
    file = tmp_path / "honest.py"
    file.write_text(BEGIN + code + AGENT)
    game = hansu.game("tictactoe")
    player = seated(file, **options)
    return play(game.start(), player, LocalPlayer(hansu.agent(game, "random"))).evidence


@BOTH
def test_a_program_that_cannot_be_run_is_done_without(seated, tmp_path):
    """As PyTorch's usual build does at import: ``ldconfig``, then ``gcc``, then ``ld``."""
    code = """
import ctypes, ctypes.util, os, platform, subprocess
assert ctypes.util.find_library("cuda_of_nobody") is None
platform.processor()
for attempt in (lambda: subprocess.run(["lscpu"]), lambda: os.system("true"), os.fork,
                lambda: os.posix_spawn("/bin/true", ["true"], {}), lambda: os.popen("true")):
    try:
        attempt()
    except OSError as error:
        assert error.errno == 1, error
    else:
        raise AssertionError(attempt)
assert ctypes.CDLL(None).system(b"true") != 0
"""
    assert evidence(seated, tmp_path, code) == ""


def test_whoever_insists_on_a_process_loses(seated, tmp_path):
    file = tmp_path / "insists.py"
    file.write_text(BEGIN + AGENT.replace("return", "__import__('os').fork(); return"))
    player = seated(file)
    state = hansu.game("tictactoe").start()
    player.reset(True, state, 0)
    with pytest.raises(Fault, match=r"another process \(os.fork\) at insists.py:5") as caught:
        player.act(state, 20.0)
    assert caught.value.reason == "disqualified"


@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.parametrize("seated", ["isolated"], indirect=True)  # else, files of the kernel tell
def test_everybody_is_told_the_same_number_of_cores(seated, tmp_path, threads):
    code = f"""
import os, multiprocessing
told = {{os.cpu_count(), len(os.sched_getaffinity(0)), os.sysconf("SC_NPROCESSORS_ONLN"),
        multiprocessing.cpu_count(), int(os.environ["NUMBA_NUM_THREADS"])}}
assert len(told) == 1 and told.pop() < {threads}, told
"""
    assert evidence(seated, tmp_path, code, limits=SandboxLimits(threads=threads)) == ""


@BOTH
def test_too_many_threads_are_named_as_the_reason(seated, tmp_path):
    """Whoever is refused a thread may hang: it is told from what it has by then."""
    code = """
import ctypes, time
def crowd():
    libc = ctypes.CDLL(None)
    for _ in range(32):
        libc.pthread_create(ctypes.byref(ctypes.c_ulong()), None,
                            ctypes.cast(libc.pause, ctypes.c_void_p), None)
    time.sleep(1000)
crowd()
"""
    found = evidence(seated, tmp_path, code)
    assert "threads; 4 are allowed" in found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seated", "threads"), [("isolated", 2), ("isolated", 4), ("plain", 4)], indirect=["seated"]
)
def test_pytorch_and_onnxruntime_work(seated, tmp_path, threads):
    pytest.importorskip("torch")
    onnx = pytest.importorskip("onnx", reason="makes the model")
    pytest.importorskip("onnxruntime")
    helper, kind = onnx.helper, onnx.TensorProto.FLOAT
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "x"], ["y"])],
        "square",
        [helper.make_tensor_value_info("x", kind, [64, 64])],
        [helper.make_tensor_value_info("y", kind, [64, 64])],
    )
    opset = [helper.make_opsetid("", 13)]
    model = helper.make_model(graph, opset_imports=opset, ir_version=8)
    code = f"""
import numpy, torch, onnxruntime
session = onnxruntime.InferenceSession({model.SerializeToString()!r})
x = numpy.ones((64, 64), numpy.float32)
assert session.run(None, {{"x": x}})[0][0, 0] == 64
assert float((torch.from_numpy(x) @ torch.from_numpy(x))[0, 0]) == 64
assert float(torch.nn.Conv2d(3, 8, 3)(torch.ones(1, 3, 9, 9)).sum()) != 0
"""
    assert evidence(seated, tmp_path, code, limits=SandboxLimits(threads=threads)) == ""
