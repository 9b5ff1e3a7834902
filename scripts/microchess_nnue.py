"""Learn the small network of microchess's alpha-beta search (``games/microchess/nnue.py``).

    python scripts/microchess_nnue.py play FOLDER --minutes 10   # again for more games
    python scripts/microchess_nnue.py learn FOLDER               # writes nnue.npz and its log there
    python scripts/microchess_nnue.py match FOLDER/nnue.npz      # against the one in the package

``play`` lets the search play itself from random openings and keeps quiet positions, each with what
the search thought of it, what the shipped network of ``self_learning`` thinks of it, and how the
game ended. The first round plays by material (``--by material``), the next ones by what was learnt.
``learn`` needs PyTorch. Files of several rounds may lie in one folder.
"""

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import hansu
from hansu.games.game import Game
from hansu.games.microchess import nnue, rules
from hansu.games.microchess.alphabeta import INFINITY, ONE, PROVED, Memory, gain_of, search, unpack
from hansu.games.microchess.attacks import in_check
from hansu.games.microchess.depth_search import MicrochessDepthSearch
from hansu.games.microchess.features import pack as pack_features
from hansu.kernel import kernel, random_below, seeded
from hansu.learning.model import find_model

GAME: Game = hansu.game("microchess")
SIZE = 24  # rows kept of a position
OPENING = 4, 12  # plies at random, at least and at most
RANDOM = 24  # one move of so many in the opening's aftermath is random, too
EARLY = 30  # plies
DEEPEST = 40
RESULT, SEARCH = 0.3, 0.3  # their share of the target; the rest is the network's
PACKED = 7


@kernel(allocates=False)
def best_move(pos, nodes, memory, moves):
    """Deepen until so many positions are visited; return the best move and its value."""
    memory.work[0], memory.work[1] = 0, 1 << 60
    memory.root[0] = np.int64(pos.ply)
    n = rules.legal_moves(pos, memory.path, moves)
    memory.path[np.int64(pos.ply)] = rules.key(pos)
    value = 0
    for depth in range(DEEPEST):
        best = -INFINITY
        for i in range(n):
            after, move = rules.play(pos, moves[i]), moves[i]
            if i == 0:
                found = -search(after, depth, -INFINITY, INFINITY, 1, ONE, memory)
            else:
                found = -search(after, depth, -best - 1, -best, 1, ONE, memory)
                if found > best:
                    found = -search(after, depth, -INFINITY, -best, 1, ONE, memory)
            if found > best:
                best = found
                for k in range(i, 0, -1):
                    moves[k] = moves[k - 1]
                moves[0] = move
        value = best
        if memory.work[0] > nodes or abs(value) > PROVED:
            break
    return moves[0], value


@kernel
def play_game(start, nodes, memory, moves, rng, rows, facts, packed):
    """Play a game and write its quiet positions; return how many.

    ``facts`` are the bucket, the search's value and, for the side to move, the result.
    """
    pos, n_kept, drawn = unpack(start), 0, OPENING[0] + random_below(rng, OPENING[1] - OPENING[0])
    while True:
        n = rules.legal_moves(pos, memory.path, moves)
        over = rules.ending(pos, memory.path, n)
        if over:
            break
        ply = np.int64(pos.ply)
        memory.path[ply] = rules.key(pos)
        if ply < drawn or (ply < EARLY and random_below(rng, RANDOM) == 0):
            pos = rules.play(pos, moves[random_below(rng, n)])
            continue
        move, value = best_move(pos, nodes, memory, moves)
        if not in_check(pos) and gain_of(pos, move) == 0 and abs(value) < PROVED:
            for view in range(2):
                used = nnue.list_rows(pos, view == 1, memory.rows)
                for k in range(SIZE):
                    rows[n_kept, view, k] = memory.rows[k] if k < used else nnue.ROWS
            facts[n_kept, 0] = nnue.bucket_of(pos)
            facts[n_kept, 1] = max(min(value, 10_000), -10_000)
            facts[n_kept, 2] = -1 if pos.second else 1
            pack_features(pos, packed[n_kept])
            n_kept += 1
        pos = rules.play(pos, move)
    result = rules.score_first(pos, over)
    for k in range(n_kept):
        facts[k, 2] *= result
    return n_kept


def material_network() -> nnue.Network:
    """Return weights that count material, to begin with."""
    first = np.zeros((nnue.ROWS, nnue.WIDTH), np.int16)
    for row in range(nnue.CASTLING):
        kind = row // nnue.CELLS % nnue.KINDS
        if kind < 5:
            first[row, 0] = 12 * (1, 3, 3, 5, 10)[kind]
    second = np.zeros((nnue.BUCKETS, 2 * nnue.WIDTH), np.int16)
    second[:, 0], second[:, nnue.WIDTH] = 300, -300
    bias, last_bias = np.zeros(nnue.WIDTH, np.int16), np.zeros(nnue.BUCKETS, np.int64)
    return nnue.Network(first, bias, second, last_bias)


def read_network(name: str) -> nnue.Network:
    """Return the network of a file, ``material`` or ``shipped``."""
    if name == "material":
        return material_network()
    if name == "shipped":
        return nnue.shipped_network()
    with np.load(name) as file:
        return nnue.Network(*(file[field] for field in nnue.Network._fields))


def play(folder: Path, minutes: float, nodes: int, network: nnue.Network, seed: int) -> None:
    """Play games and keep a file of positions a minute."""
    model, start = find_model("shipped", GAME), GAME.start()
    own = MicrochessDepthSearch(16, network)
    memory: Memory = own.memory(start, np.zeros(2, np.int64))._replace(
        path=np.zeros(GAME.max_turns + 100, np.uint64)
    )
    rng = seeded(seed)
    moves = np.empty(rules.MAX_MOVES, np.int64)
    most = GAME.max_turns
    rows = np.empty((most, 2, SIZE), np.int16)
    facts, packed = np.empty((most, 3), np.int16), np.empty((most, PACKED), np.uint64)
    end, kept, total, games = time.time() + 60 * minutes, [], 0, 0
    while time.time() < end:
        block_end = min(end, time.time() + 60)
        kept = []
        while time.time() < block_end:
            n = play_game(start.words, nodes, memory, moves, rng, rows, facts, packed)
            kept.append((rows[:n].copy(), facts[:n].copy(), packed[:n].copy()))
            games += 1
        all_rows, all_facts, all_packed = (np.concatenate(part) for part in zip(*kept, strict=True))
        values = np.concatenate(
            [model(part)[:, -1] for part in np.array_split(all_packed, len(all_packed) // 512 + 1)]
        )
        total += len(values)
        name = f"positions-{seed}-{time.time_ns()}.npz"
        np.savez(folder / name, rows=all_rows, facts=all_facts, values=values.astype(np.float16))
        print(f"{games:,} games, {total:,} positions", flush=True)


def read_positions(folder: Path) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return the rows, facts and network's values of all files."""
    parts = []
    for path in sorted(folder.glob("positions-*.npz")):
        with np.load(path) as file:
            parts.append((file["rows"], file["facts"], file["values"]))
    rows, facts, values = (np.concatenate(part) for part in zip(*parts, strict=True))
    return rows, facts, values.astype(np.float32)


def learn(folder: Path, epochs: int, seed: int) -> None:
    """Fit the network to the targets and write it in whole numbers."""
    import torch
    from torch import nn

    torch.manual_seed(seed)
    rows, facts, values = read_positions(folder)
    result, own = (facts[:, 2] + 1) / 2, 1 / (1 + np.exp(-facts[:, 1] / nnue.UNIT))
    target = RESULT * result + SEARCH * own + (1 - RESULT - SEARCH) * (values + 1) / 2
    order = np.random.default_rng(seed).permutation(len(rows))
    held = max(1, len(rows) // 50)
    tested, trained = order[:held], order[held:]
    all_rows = torch.from_numpy(rows.astype(np.int32))
    buckets, targets = torch.from_numpy(facts[:, 0].astype(np.int64)), torch.tensor(target).float()

    table = nn.EmbeddingBag(nnue.ROWS + 1, nnue.WIDTH, mode="sum", padding_idx=nnue.ROWS)
    # A piece on a square counts alike wherever the king is, at first.
    alike = nn.EmbeddingBag(nnue.KINDS * nnue.CELLS + 1, nnue.WIDTH, mode="sum")
    nn.init.normal_(table.weight, std=0.02)
    nn.init.normal_(alike.weight, std=0.1)
    with torch.no_grad():
        table.weight[nnue.ROWS] = 0
        alike.weight[-1] = 0
    bias = nn.Parameter(torch.full((nnue.WIDTH,), 0.2))
    second = nn.Linear(2 * nnue.WIDTH, nnue.BUCKETS)
    nn.init.normal_(second.weight, std=0.1)
    modules = [*table.parameters(), *alike.parameters(), bias, *second.parameters()]
    batch, largest = 8192, 127 / nnue.ONE_WEIGHT * 4
    steps = epochs * (len(trained) // batch + 1)
    optimiser = torch.optim.Adam(modules, lr=2e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 4e-3, total_steps=steps + 1)

    def shared(places: Any) -> Any:
        pieces = places < nnue.CASTLING
        return torch.where(pieces, places % (nnue.KINDS * nnue.CELLS), nnue.KINDS * nnue.CELLS)

    def forward(index: Any) -> Any:
        places = all_rows[index].reshape(-1, SIZE)
        sums = table(places) + alike(shared(places)) + bias
        hidden = sums.clamp(0, 1).square().reshape(len(index), -1)
        return second(hidden).gather(1, buckets[index][:, None])[:, 0]

    def loss_of(index: Any) -> Any:
        return (torch.sigmoid(forward(index)) - targets[index]).square().mean()

    log = ["epoch,training_loss,validation_loss"]
    for epoch in range(epochs):
        mixed, total = torch.from_numpy(np.random.permutation(trained)), 0.0
        for part in mixed.split(batch):
            optimiser.zero_grad()
            loss = loss_of(part)
            loss.backward()
            optimiser.step()
            schedule.step()
            with torch.no_grad():
                second.weight.clamp_(-largest, largest)
                alike.weight[-1] = 0
            total += float(loss.detach()) * len(part)
        with torch.no_grad():
            test = float(loss_of(torch.from_numpy(tested)))
        log.append(f"{epoch + 1},{total / len(trained):.5f},{test:.5f}")
        print(log[-1], flush=True)
    with torch.no_grad():
        weights = table.weight[: nnue.ROWS].clone()
        weights[: nnue.CASTLING] += alike.weight[:-1].repeat(nnue.CELLS, 1)
        first = (weights * nnue.ONE_SUM).round().clamp(-8000, 8000).numpy().astype(np.int16)
        network = nnue.Network(
            first,
            (bias * nnue.ONE_SUM).round().numpy().astype(np.int16),
            (second.weight * nnue.ONE_WEIGHT).round().numpy().astype(np.int16),
            (second.bias * nnue.ONE_SUM * nnue.ONE_WEIGHT).round().numpy().astype(np.int64),
        )
    np.savez_compressed(folder / "nnue.npz", **network._asdict())
    (folder / "microchess-nnue.csv").write_text("\n".join(log) + "\n", encoding="utf-8")


def match(one: str, other: str, pairs: int, nodes: int, seed: int) -> None:
    """Play two networks against each other, each opening twice, with so many nodes a move."""
    from hansu.search.deepening import deepen
    from hansu.search.limits import Budget, SearchHandle
    from hansu.statistics.stats import Played, Stats

    rng, played = np.random.default_rng(seed), list[Played]()
    networks = [read_network(one), read_network(other)]
    for _ in range(pairs):
        opening = GAME.start()
        for _ in range(int(rng.integers(*OPENING))):
            opening.push(list(opening.legal_moves)[rng.integers(opening.legal_moves.count())])
            if opening.is_game_over():
                opening = GAME.start()
        for swapped in (False, True):
            players = [MicrochessDepthSearch(16, network) for network in networks]
            state = opening.copy()
            while not state.is_game_over():
                at = int(state.turn != hansu.WHITE) ^ swapped
                found = deepen(state, players[at], Budget(nodes=nodes), SearchHandle())
                state.push(found.lines[0].move)
            won = state.outcome().winner
            score = 0.5 if won is None else float((won == hansu.WHITE) ^ swapped)
            texts = tuple(map(str, state.move_stack))
            played.append(Played(not swapped, score, opening.text(), texts))
        print(Stats.of(played), flush=True)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    jobs = parser.add_subparsers(dest="job", required=True)
    job = jobs.add_parser("play", help="keep positions of games that the search plays itself")
    job.add_argument("folder", type=Path)
    job.add_argument("--minutes", type=float, default=10.0)
    job.add_argument("--nodes", type=int, default=1_500, help="for each move")
    job.add_argument("--by", default="shipped", help="material, shipped or a file")
    job.add_argument("--seed", type=int, default=1)
    job = jobs.add_parser("learn", help="fit the network to the positions of a folder")
    job.add_argument("folder", type=Path)
    job.add_argument("--epochs", type=int, default=12)
    job.add_argument("--seed", type=int, default=1)
    job = jobs.add_parser("match", help="play two networks against each other")
    job.add_argument("network")
    job.add_argument("other", nargs="?", default="shipped")
    job.add_argument("--pairs", type=int, default=100)
    job.add_argument("--nodes", type=int, default=20_000)
    job.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.job == "play":
        given.folder.mkdir(parents=True, exist_ok=True)
        play(given.folder, given.minutes, given.nodes, read_network(given.by), given.seed)
    elif given.job == "learn":
        learn(given.folder, given.epochs, given.seed)
    else:
        match(given.network, given.other, given.pairs, given.nodes, given.seed)


if __name__ == "__main__":
    main()
