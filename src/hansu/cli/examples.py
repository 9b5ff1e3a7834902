"""Examples for the help of each command; tests check that every one of them can be read."""

EXAMPLES = {
    "play": ("play go:size=9 --agent mcts", "play connect4 --color black --terminal"),
    "serve": (
        "serve",
        "serve --host 0.0.0.0 --agents students",
        "serve --tournaments . --no-browser",
    ),
    "watch": ("watch microchess mcts ./my_agent.py",),
    "match": (
        "match connect4 mcts abp_negamax --games 100 --openings random:4",
        "match go:size=5 mcts random --save games.sgf",
        "match othello ./my_agent.py mcts --sprt 0,10",
    ),
    "tournament": ("tournament othello ./students/*/agent.py random --rounds 10 --out cup",),
    "compete": ("compete cup",),
    "analyze": (
        "analyze microchess --agent mcts --seconds 3",
        "analyze othello --position f5d6c3 --html search.html",
    ),
    "solve": ("solve connect4 4444441515", "solve othello @ending.txt --best"),
    "review": ("review game.pgn", "review cup/games.jsonl --game 3 --agent mcts --seconds 2"),
    "replay": ("replay games.sgf --game 2", "replay games.jsonl --at 12 --debug ./my_agent.py"),
    "show": ("show microchess", "show othello --position f5d6c3 --svg board.svg"),
    "export": ("export cup/games.jsonl --to transcript --out games.txt",),
    "puzzles": ("puzzles connect4 games.jsonl --most 20",),
    "check": ("check ./my_agent.py --game othello",),
    "perft": ("perft microchess 5",),
    "bench": ("bench go",),
    "train": ("train tictactoe --minutes 2",),
    "learn": ("learn othello WTHOR/ --minutes 30",),
    "quantise": ("quantise go runs/go-modern/model.onnx",),
    "uci": ("uci --agent mcts",),
    "gtp": ("gtp --game go:size=9 --agent mcts",),
}


def epilog(command: str) -> str | None:
    """Return the examples of a command, as its help shows them at the end."""
    lines = EXAMPLES.get(command, ())
    head = "Example:" if len(lines) == 1 else "Examples:"
    return "\n\n".join([head, *(f"  hansu {line}" for line in lines)]) if lines else None
