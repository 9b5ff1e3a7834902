import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        class Endless:
            def __repr__(self):
                while True:
                    pass

        return Endless()
