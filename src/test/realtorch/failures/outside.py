"""What the allocator may use ends before the device does: others hold memory, a limit applies, or nothing could do."""
import torch

from .layers import ids, loss_of, net, train
from .places import holes
from .registry import GIB, MIB, failure, mib, peak_of_step


@failure('OUTSIDE_ALLOCATOR', 16 * GIB, others=12 * GIB)
def others_hold_most():
    """Another process holds 12 of 16 GiB; 3 GiB of weights and a request of 2."""
    weights = [mib(512) for _ in range(6)]
    yield weights
    yield mib(2048)


@failure('OUTSIDE_ALLOCATOR', 16 * GIB, others=7 * GIB)
def others_hold_less():
    """Another process holds 7 GiB, less than this one, which would fit without it."""
    weights = [mib(512) for _ in range(16)]
    yield weights
    yield mib(3000)


@failure('OUTSIDE_ALLOCATOR', 8 * GIB, others=8 * GIB - 64 * MIB)
def others_hold_all():
    """A forgotten notebook holds all but 64 MiB: the first tensor fails."""
    yield mib(100)


@failure('OUTSIDE_ALLOCATOR', 24 * GIB, others=21 * GIB, fails_in=range(0, 1))
def others_beside_training():
    """Training that needs a sixth of the device finds an eighth of it."""
    model = net(width=1024, depth=4)
    optimizer = torch.optim.AdamW(model.parameters())
    for _ in range(3):
        train(model, optimizer, 16, 1024)
        yield


@failure('OUTSIDE_ALLOCATOR', 12 * GIB, others=9 * GIB, settings='expandable_segments:True')
def others_expandable():
    """Others hold 9 GiB beside expandable segments."""
    weights = [mib(256) for _ in range(10)]
    yield weights
    yield mib(1500)


@failure('OUTSIDE_ALLOCATOR', 10 * GIB, others=6 * GIB)
def others_beside_steady_loop():
    """Five steady steps, then an evaluation that would fit if the other process were gone."""
    weights = [mib(512) for _ in range(3)]
    for _ in range(5):
        scratch = [mib(500), mib(500), mib(500)]
        del scratch
        yield
    yield [mib(700) for _ in range(4)], weights


@failure(None, 16 * GIB, others=600 * MIB)
def others_hold_little():
    """600 MiB of CUDA contexts beside a device that is full of weights: others decide, but they are not the cause."""
    weights = [mib(500) for _ in range(31)]
    yield weights
    yield mib(500)


@failure('LIMIT', 16 * GIB, settings='per_process_memory_fraction:0.5')
def limit_in_settings():
    """A fraction of one half in the settings; weights of 6 GiB and a request of 3."""
    weights = [mib(512) for _ in range(12)]
    yield weights
    yield mib(3000)


@failure('LIMIT', 16 * GIB)
def limit_by_call():
    """A fraction of 0.4 set by a call, which no file contains."""
    torch.cuda.set_per_process_memory_fraction(.4)
    weights = [mib(512) for _ in range(10)]
    yield weights
    yield mib(2000)


@failure('LIMIT', 24 * GIB, settings='per_process_memory_fraction:0.125', fails_in=range(0, 1))
def limit_beside_training():
    """Training that needs 4 GiB under a limit of 3, on a device of 24."""
    model = net(width=1024, depth=4)
    optimizer = torch.optim.AdamW(model.parameters())
    for _ in range(3):
        train(model, optimizer, 16, 1024)
        yield


@failure('LIMIT', 16 * GIB, settings='per_process_memory_fraction:0.5', also=['FRAGMENTATION'])
def limit_and_pieces():
    """Pieces under a limit: without the limit the driver would have served the request."""
    results = holes(38, 200, 110)
    yield results
    yield mib(2000)


@failure('LIMIT', 12 * GIB, settings='expandable_segments:True,per_process_memory_fraction:0.25')
def limit_expandable():
    """A quarter of the device, with expandable segments."""
    weights = [mib(256) for _ in range(10)]
    yield weights
    yield mib(1000)


@failure('REQUEST_EXCEEDS_DEVICE', 16 * GIB)
def exceeds_one_hot():
    """One-hot vectors of the wrong axis: 24 TiB."""
    labels = ids(8, 1024)
    yield labels
    yield torch.zeros(8192, 800_000_000, device='cuda')


@failure('REQUEST_EXCEEDS_DEVICE', 24 * GIB)
def exceeds_attention():
    """Attention scores of 120,000 tokens in one matrix."""
    model = net(width=512, depth=1)
    for _ in range(4):
        loss_of(model, 4, 256).backward()
        yield
    yield torch.empty(1, 1, 120_000, 120_000, device='cuda')


@failure('REQUEST_EXCEEDS_DEVICE', 8 * GIB)
def exceeds_by_broadcast():
    """(n, 1) + (1, n) where n + n was meant."""
    a = torch.empty(60_000, 1, device='cuda')
    yield a
    yield a + a.T


@failure('REQUEST_EXCEEDS_DEVICE', 4 * GIB, settings='expandable_segments:True')
def exceeds_expandable():
    """A buffer of 6 GiB on a device of 4, with expandable segments."""
    yield mib(100)
    yield mib(6 * 1024)


@failure('REQUEST_EXCEEDS_DEVICE', 12 * GIB, others=4 * GIB)
def exceeds_beside_others():
    """Others hold 4 of 12 GiB, but the request is for 14."""
    yield mib(200)
    yield mib(14 * 1024)
