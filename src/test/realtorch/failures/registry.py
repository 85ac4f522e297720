"""The programs, the device that each one runs on, and what must hold at its failure for its cause to be true."""
import torch

MIB, GIB = 1 << 20, 1 << 30
PROGRAMS = {}


class Program:
    """`run` is a generator that yields at the end of each step. `device` is the size of the device in bytes, or a
    function of the steps of a run on an unlimited device: a list of (peak allocated, peak reserved) bytes. `fails_in`
    is the range of steps in which it must fail; `failure` says which of its failures `cause` is about, if it catches
    some."""

    def __init__(self, run, cause, device, others=0, settings='', also=None, fails_in=None, failure=0):
        self.run, self.name, self.what = run, run.__name__, ' '.join(run.__doc__.split())
        self.cause, self.device, self.others, self.settings = cause, device, others, settings
        self.also, self.fails_in, self.failure = also, fails_in or range(0, 1 << 30), failure

    def total_bytes(self, steps):
        size = self.device(steps) if callable(self.device) else self.device
        return int(size) // (2 * MIB) * (2 * MIB)


def failure(cause, device, **more):
    """Declares a program. A cause of None says that people could argue about it."""

    def add(run):
        assert run.__name__ not in PROGRAMS, run.__name__
        PROGRAMS[run.__name__] = Program(run, cause, device, **more)
        return run

    return add


def peak_of_step(step, share=1.0):
    """A device that cannot hold the allocated bytes of this step."""
    return lambda steps: share * steps[step][0]


def between(steady, spike, share=.5):
    """A device that holds the step `steady` but not the step `spike`."""
    return lambda steps: (1 - share) * steps[steady][1] + share * steps[spike][0]


def above_peak(share):
    """A device that holds all that is ever allocated at once, with little more."""
    return lambda steps: share * max(allocated for allocated, _ in steps)


def contradiction(program, facts):
    """What the failure has that its cause does not allow, or None.

    Perfect packing must be impossible, or leave less than a twentieth free, where the cause is what is live; where the
    cause is where the free bytes lie, at least 7 percent of what the allocator may use must stay free after it."""
    usable = min(facts['totalBytes'] - facts['othersBytes'], facts['limitBytes'])
    needed = facts['liveBytes'] + facts['askedBytes']
    step = facts['failedAtStep']
    if step not in program.fails_in: return 'failed in step %d, not in %s' % (step, program.fails_in)
    if program.cause is None: return None
    if program.cause in ('FRAGMENTATION', 'OTHER_STREAM', 'OTHER_POOL'):
        return None if needed <= .93 * usable or program.also == ['OUTSIDE_ALLOCATOR'] and needed <= usable else 'needs %.3f of what is usable' % (needed / usable)
    if program.cause == 'REQUEST_EXCEEDS_DEVICE':
        return None if facts['askedBytes'] > facts['totalBytes'] else 'asks for less than the device'
    if program.cause in ('LIMIT', 'OUTSIDE_ALLOCATOR') and needed > .95 * facts['totalBytes']:
        return 'would hardly fit on the whole device'
    if program.also == ['FRAGMENTATION']: return None if needed <= .93 * usable else 'needs %.3f of the limit' % (needed / usable)
    return None if needed > .95 * usable else 'needs only %.3f of what is usable' % (needed / usable)


def mib(size):
    """A tensor of this many MiB."""
    return torch.empty(int(size * MIB), dtype=torch.uint8, device='cuda')
