import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        while True:
            print("x" * 10_000)
