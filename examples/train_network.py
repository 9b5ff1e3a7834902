"""A network of your own, trained on a thousand games at once: who will win, some turns on?

Needs PyTorch: ``pip install 'hansu[learn]'``.
"""

import sys
from collections import deque
from typing import Any

import torch

import hansu


def train(steps: int = 300, games: int = 1000) -> tuple[float, float]:
    """Learn the results of random games; return the mean loss at first and at last."""
    torch.manual_seed(1)
    boards = hansu.vector("connect4", games, seed=1)
    net = torch.nn.Sequential(
        torch.nn.Flatten(),
        torch.nn.Linear(2 * 6 * 7, 64),
        torch.nn.ReLU(),
        torch.nn.Linear(64, 1),
        torch.nn.Tanh(),
    )
    optimiser = torch.optim.Adam(net.parameters(), 0.003)
    losses = []
    seen: deque[Any] = deque(maxlen=5)
    for step in range(steps):
        seen.append(boards.observations.copy())
        mover = boards.turn.copy()
        rewards, done = boards.step(boards.sample())
        if not done.any():
            continue
        back = 4 - step % 2  # turns before the last: four, the same side was to move; or three
        sign = 1 if back == 4 else -1
        result = torch.from_numpy(sign * rewards[done, mover[done]]).unsqueeze(1)
        board = torch.from_numpy(seen[-1 - back][done])
        loss = torch.nn.functional.mse_loss(net(board), result)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        losses.append(loss.item())
    return sum(losses[:20]) / 20, sum(losses[-20:]) / 20


if __name__ == "__main__":
    first, last = train(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
    print(f"loss at first {first:.3f}, at last {last:.3f}")
