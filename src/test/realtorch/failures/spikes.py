"""Spikes: a steady loop, then one request, or one step, that needs far more. The device holds the loop with ease."""
import torch
import torch.nn.functional as F

from .layers import ids, loss_of, net, train
from .registry import GIB, between, failure, mib


@failure('SPIKE', between(5, 8, .6), fails_in=[8])
def spike_long_document():
    """One document is 16 times as long; attention stores the square of its length."""
    model = net(width=512, depth=2, attention=True)
    optimizer = torch.optim.AdamW(model.parameters())
    for step in range(9):
        train(model, optimizer, 1, 8192 if step == 8 else 512)
        yield


@failure('SPIKE', between(5, 8), fails_in=[8])
def spike_wide_batch():
    """The last batch of the epoch was collated without a limit: 24 times the samples."""
    model = net(width=1024, depth=2)
    optimizer = torch.optim.AdamW(model.parameters())
    for step in range(9):
        train(model, optimizer, 96 if step == 8 else 4, 256)
        yield


@failure('REQUEST_EXCEEDS_DEVICE', between(6, 10, .4), fails_in=[10])
def spike_similarity_matrix():
    """After ten steady steps, all pairs are compared in one matrix: a single request."""
    model = net(width=512, depth=2)
    optimizer = torch.optim.AdamW(model.parameters())
    for _ in range(10):
        train(model, optimizer, 8, 256)
        yield
    vectors = torch.empty(40000, 512, device='cuda')
    scores = vectors @ vectors.T
    yield scores


@failure('REQUEST_EXCEEDS_DEVICE', between(4, 8, .4), fails_in=[8])
def spike_concatenated_results():
    """Results are kept in half precision by design; at the end they are joined and converted at once."""
    with torch.no_grad():
        results = torch.empty(8, 64 << 20, dtype=torch.half, device='cuda')
        for step in range(8):
            scratch = mib(300)
            results[step].fill_(1)
            del scratch
            yield
        yield results.double()


@failure('SPIKE', between(6, 10), fails_in=[10])
def spike_long_prompt():
    """A server decodes with short prompts; then a prompt of 8,192 tokens is filled in."""
    model = net(width=512, depth=2, attention=True).eval()
    with torch.no_grad():
        for step in range(11):
            prompt = model(ids(1, 8192 if step == 10 else 256))
            del prompt
            for _ in range(4): model(ids(1, 64))
            yield


@failure('SPIKE', between(6, 9), fails_in=[9])
def spike_without_recompute():
    """Activations are recomputed in every step but the one that a debug flag changes."""
    model = net(width=1024, depth=10, recompute=True, classes=1024)
    optimizer = torch.optim.SGD(model.parameters(), lr=.1)
    for step in range(10):
        model.recompute = step != 9
        train(model, optimizer, 16, 1024)
        yield


@failure('SPIKE', between(6, 9), fails_in=[9])
def spike_large_image():
    """Images of 512 pixels, then one of 4,096."""
    with torch.no_grad():
        for step in range(10):
            side = 4096 if step == 9 else 512
            image = torch.empty(1, 32, side, side, device='cuda')
            for _ in range(3): image = F.relu(image + 1)
            del image
            yield


@failure('SPIKE', between(6, 9), settings='expandable_segments:True', fails_in=[9])
def spike_expandable():
    """The tenth batch of a steady evaluation is 20 times as long; expandable segments."""
    model = net(width=1024, depth=2).eval()
    with torch.no_grad():
        for step in range(10):
            model(ids(80 if step == 9 else 4, 512))
            yield


@failure('REQUEST_EXCEEDS_DEVICE', between(6, 9, .4), fails_in=[9])
def spike_one_hot():
    """Labels become one-hot vectors of all 200,000 classes for one report."""
    model = net(width=512, depth=2)
    optimizer = torch.optim.AdamW(model.parameters())
    for step in range(9):
        train(model, optimizer, 8, 256)
        yield
    yield torch.zeros(8 * 1024, 200_000, device='cuda')


@failure('SPIKE', between(6, 9, .6), fails_in=[9])
def spike_caught():
    """A long sample fails, is caught and left out; the run goes on to its end."""
    model = net(width=512, depth=2, attention=True)
    optimizer = torch.optim.AdamW(model.parameters())
    for step in range(12):
        try: train(model, optimizer, 1, 8192 if step == 9 else 512)
        except torch.OutOfMemoryError: optimizer.zero_grad(set_to_none=True)
        yield


@failure(None, between(6, 9, .2))
def retry_inside_the_handler():
    """A large batch fails; the half of it is tried inside the handler, where the failed frames still hold memory."""
    model = net(width=1024, depth=6)
    for step in range(9):
        loss_of(model, 4, 512).backward()
        yield
    try: loss = loss_of(model, 32, 512)
    except torch.OutOfMemoryError: loss = loss_of(model, 24, 512)
    yield loss


@failure(None, between(5, 8, .9), fails_in=[8])
def somewhat_longer_batch():
    """A step of 1.3 times the steady peak on a device that is nearly full: a spike, or simply full?"""
    model = net(width=1024, depth=4)
    optimizer = torch.optim.SGD(model.parameters(), lr=.1)
    for step in range(9):
        train(model, optimizer, 21 if step == 8 else 16, 512)
        yield
