"""The free bytes would do, but they lie in pieces, on another stream, or in another pool.

`Holes` makes pieces that the allocator cannot give back: a buffer is freed and a smaller tensor takes its place, so the
rest of its segment stays and is too small for the next buffer."""
import torch

from .layers import ids, loss_of, net, train
from .registry import GIB, above_peak, failure, mib


def holes(count, buffer_mib, kept_mib):
    """Tensors that each hold a segment of `buffer_mib` of which the rest is free."""
    kept = []
    for _ in range(count):
        scratch = mib(buffer_mib)
        del scratch
        kept.append(mib(kept_mib))
    return kept


def every_second(count, size):
    """Half of the tensors of a list that was filled at once."""
    return [mib(size) for _ in range(count)][::2]


@failure('FRAGMENTATION', 16 * GIB)
def pieces_buffers_reused():
    """Each buffer of 140 MiB is replaced by a result of 100; the rests of 40 serve nobody."""
    results = holes(112, 140, 100)
    yield results
    yield mib(2048)


@failure('FRAGMENTATION', 12 * GIB)
def pieces_half():
    """Results of 110 MiB in buffers of 200."""
    results = holes(60, 200, 110)
    yield results
    yield mib(1500)


@failure('FRAGMENTATION', 4 * GIB)
def pieces_adapters():
    """Adapters of 5 MiB share segments of 20 MiB; every second one is evicted."""
    adapters = every_second(800, 5)
    yield adapters
    yield mib(1024)


@failure('FRAGMENTATION', 4 * GIB)
def pieces_embedding_cache():
    """A cache of rows of 3 to 9 MiB; two of three rows are dropped before a table is built."""
    rows = [mib(3 + i % 7) for i in range(600)]
    yield rows
    rows[:] = rows[::3]
    yield mib(1200)


@failure('FRAGMENTATION', 4 * GIB, settings='expandable_segments:True')
def pieces_of_pages():
    """Expandable segments: blocks of 12 MiB, every second one freed; no page of 20 MiB is completely free."""
    blocks = every_second(330, 12)
    yield blocks
    yield mib(900)


@failure('FRAGMENTATION', above_peak(1.08))
def pieces_varying_training():
    """Training with lengths that differ from step to step; all that is live fits with 8 percent to spare."""
    model = net(width=1024, depth=4, attention=True)
    optimizer = torch.optim.AdamW(model.parameters())
    for step in range(30):
        train(model, optimizer, 6, 256 + 64 * (step * 5 % 9) + 8 * step)
        yield


@failure('FRAGMENTATION', above_peak(1.12))
def pieces_varying_evaluation():
    """Batches of growing length; a short summary of each is kept and lands in the segments of its activations."""
    model, summaries = net(width=1024, depth=2).eval(), []
    with torch.no_grad():
        for step in range(30):
            features = model.features(ids(8, 512 + 96 * step))
            summaries.append(features[:, :256].clone())
            del features
            yield


@failure('FRAGMENTATION', 8 * GIB)
def pieces_two_sizes():
    """Images of two sizes alternate, thumbnails of both are kept."""
    thumbnails = []
    for _ in range(30):
        large, small = mib(160), mib(90)
        del large
        thumbnails.append(mib(100))
        del small
        thumbnails.append(mib(80))
    yield thumbnails
    yield mib(1300)


@failure('FRAGMENTATION', 8 * GIB, settings='max_split_size_mb:512')
def pieces_with_max_split():
    """The limit of 512 MiB allows the splits of 200 that leave the pieces."""
    results = holes(40, 200, 120)
    yield results
    yield mib(1800)


@failure('FRAGMENTATION', 6 * GIB)
def pieces_in_training():
    """Results of a warm-up pin the buffers of the warm-up; the first training step needs a large buffer."""
    results = holes(38, 150, 80)
    model = net(width=512, depth=2, classes=512)
    yield results
    loss_of(model, 4, 256).backward()
    yield
    yield mib(1536)


@failure('FRAGMENTATION', 16 * GIB, others=6 * GIB, also=['OUTSIDE_ALLOCATOR'])
def pieces_beside_others():
    """Another process holds 6 GiB; the pieces would still be enough."""
    results = holes(48, 200, 110)
    yield results
    yield mib(2000)


@failure('FRAGMENTATION', 4 * GIB)
def pieces_pinned_by_gradients():
    """Small gradients are made while large activations are freed, and stay in their segments."""
    gradients = []
    for _ in range(36):
        activation = mib(110)
        del activation
        gradients.append(mib(60))
    yield gradients
    yield mib(800)


@failure('OTHER_STREAM', 16 * GIB)
def stream_of_copies():
    """A copy stream's buffers are pinned by small results; the main stream asks."""
    side = torch.cuda.Stream()
    with torch.cuda.stream(side): results = holes(70, 200, 110)
    weights = [mib(500) for _ in range(4)]
    yield results, weights
    yield mib(4000)


@failure('OTHER_STREAM', 12 * GIB)
def stream_of_two_sides():
    """Two side streams hold the pieces, a third of the memory each."""
    kept = []
    for _ in range(2):
        with torch.cuda.stream(torch.cuda.Stream()): kept += holes(28, 200, 110)
    yield kept
    yield mib(3000)


@failure('OTHER_STREAM', 4 * GIB, settings='expandable_segments:True')
def stream_expandable():
    """Expandable segments of a side stream, every second block of 12 MiB freed."""
    with torch.cuda.stream(torch.cuda.Stream()): blocks = every_second(320, 12)
    yield blocks
    yield mib(900)


@failure('OTHER_STREAM', 8 * GIB)
def stream_asks_main_holds():
    """The main stream has the pieces; the side stream asks."""
    results = holes(38, 200, 110)
    yield results
    with torch.cuda.stream(torch.cuda.Stream()): yield mib(2000)


@failure('OTHER_STREAM', 8 * GIB)
def stream_with_record_stream():
    """Batches of a side stream are used on the main stream with record_stream; their crops stay."""
    side, crops = torch.cuda.Stream(), []
    for _ in range(38):
        with torch.cuda.stream(side): batch = mib(200)
        batch.record_stream(torch.cuda.current_stream())
        del batch
        torch.cuda.synchronize()
        with torch.cuda.stream(side): crops.append(mib(120))
    yield crops
    yield mib(1800)


@failure('OTHER_POOL', 16 * GIB)
def pool_keeps_cache():
    """A MemPool that is still in use keeps 9 GiB that nobody uses."""
    pool = torch.cuda.MemPool()
    with torch.cuda.use_mem_pool(pool): scratch = [mib(1500) for _ in range(6)]
    del scratch
    weights = mib(1000)
    yield weights
    yield mib(8000), pool


@failure('OTHER_POOL', 12 * GIB)
def pool_asks_default_holds():
    """A request in a MemPool; the default pool's memory is in pieces."""
    results, pool = holes(56, 200, 110), torch.cuda.MemPool()
    yield results
    with torch.cuda.use_mem_pool(pool): yield mib(3000)


@failure('OTHER_POOL', 12 * GIB)
def pool_of_two():
    """Two MemPools: one keeps 8 GiB free, the other asks."""
    one, two = torch.cuda.MemPool(), torch.cuda.MemPool()
    with torch.cuda.use_mem_pool(one): scratch = [mib(2000) for _ in range(4)]
    del scratch
    with torch.cuda.use_mem_pool(two): first = mib(1000)
    yield first
    with torch.cuda.use_mem_pool(two): yield mib(6000), one


@failure('OTHER_POOL', 1 * GIB)
def pool_of_small_blocks():
    """Tensors of 0.75 MiB fill the small pool; every second one is freed."""
    small = every_second(980, .75)
    yield small
    yield mib(300)


@failure('OTHER_POOL', 8 * GIB)
def pool_beside_training():
    """Training beside a MemPool that keeps 5 GiB of an earlier phase."""
    pool = torch.cuda.MemPool()
    with torch.cuda.use_mem_pool(pool): phase = [mib(1000) for _ in range(5)]
    del phase
    yield
    model = net(width=1024, depth=2)
    for _ in range(2):
        loss_of(model, 4, 512).backward()
        yield
    yield mib(4000), pool


@failure(None, above_peak(1.03))
def nearly_full_and_varying():
    """Varying lengths with 3 percent to spare: pieces, or simply too full?"""
    model = net(width=1024, depth=4, attention=True)
    optimizer = torch.optim.AdamW(model.parameters())
    for step in range(20):
        train(model, optimizer, 6, 256 + 64 * (step * 5 % 9) + 8 * step)
        yield
