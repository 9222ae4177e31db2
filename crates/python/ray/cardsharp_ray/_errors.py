"""Why something cannot be done on a cluster."""


class NodesFailed(RuntimeError):
    """A node of Ray did not begin."""


class WrongBuild(RuntimeError):
    """A machine of the cluster has another build of cardsharp than the one with the learner."""


class TooFewWorkers(RuntimeError):
    """Fewer workers than wanted, for longer than was to be waited for them."""


class LostTooOften(RuntimeError):
    """A task killed every worker that it was given to, or they die of something else."""
