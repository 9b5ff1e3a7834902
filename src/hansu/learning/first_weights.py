"""Start a network from the weights of a model, instead of from random ones.

A model's batch normalisation is folded into its convolutions (``network.folded``), and what it
divided by is gone. So a network first takes the weights with a normalisation that changes nothing,
which answers as the model does; ``calibrate`` then measures the statistics anew.
"""

from pathlib import Path

import torch
from torch import Tensor, nn

from hansu.errors import HansuError
from hansu.games.game import Game
from hansu.learning.network import Network, folded, make_network, normalised


def read_network(path: Path, game: Game, mirror: bool = True) -> Network:
    """Return the folded network of a model that was trained here, to be run by PyTorch."""
    import onnx
    from onnx import numpy_helper

    try:
        model = onnx.load_model(str(path))
        facts = {fact.key: fact.value for fact in model.metadata_props}
        with torch.device("meta"):  # whatever size the file claims, no memory is taken for it
            network = folded(make_network(facts["network"], game.make_features(mirror)))
        weights = {
            each.name: torch.from_numpy(numpy_helper.to_array(each).copy())
            for each in model.graph.initializer
        }
        own = network.state_dict()
        fitting = {key: _fitting(own[key], weights[key]) for key in own}
        network.load_state_dict(fitting, assign=True)
    except OSError as error:
        raise HansuError(f"cannot read the model {path}: {error.strerror}") from None
    except Exception:
        raise HansuError(f"{path} is not a model that hansu trained for {game}") from None
    if (facts.get("mirror") != "false") != mirror:
        told = "without --mirror: add" if mirror else "with --mirror: leave out"
        raise HansuError(f"{path} was trained {told} --no-mirror")
    return network


def _fitting(own: Tensor, found: Tensor) -> Tensor:
    """Return a layer's weights; the exporter may have transposed those of a linear layer."""
    return found.T if found.dim() == 2 and found.shape != own.shape else found


@torch.no_grad()
def start_from(network: Network, model: Network) -> None:
    """Give a network the weights of a folded one; auxiliary heads stay as they are."""
    given = model.state_dict()
    own = network.state_dict()
    for path, _, norm in normalised(network):
        own[f"{path}_norm.bias"] = given.pop(f"{path}.bias")
        own[f"{path}_norm.running_mean"] = torch.zeros_like(norm.bias)
        own[f"{path}_norm.running_var"] = torch.ones_like(norm.bias)
        own[f"{path}_norm.weight"] = torch.full_like(norm.weight, (1 + norm.eps) ** 0.5)
    network.load_state_dict({**own, **given})


@torch.no_grad()
def calibrate(network: Network, planes: Tensor, vector: Tensor) -> None:
    """Measure what batch normalisation divides by, on a batch; the network answers as before."""
    hooks = [
        layer.register_forward_hook(lambda _, given, out, norm=norm: _measure(norm, out))
        for _, layer, norm in normalised(network)
    ]
    network.eval()
    network(planes, vector)
    for hook in hooks:
        hook.remove()


def _measure(norm: nn.BatchNorm2d, out: Tensor) -> None:
    """Take mean and variance of this batch; scale and shift make up for it."""
    assert norm.running_mean is not None
    assert norm.running_var is not None
    variance, mean = torch.var_mean(out.float(), (0, 2, 3), correction=0)
    scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
    norm.bias.add_(scale * (mean - norm.running_mean))
    norm.weight.copy_(scale * torch.sqrt(variance + norm.eps))
    norm.running_mean.copy_(mean)
    norm.running_var.copy_(variance)
