"""Too much is live: what the program needs at once, from its first step on, is more than the device."""
import torch
import torch.nn.functional as F

from .layers import ids, loss_of, net, train
from .registry import GIB, failure, mib, peak_of_step

FIRST = range(0, 1)


@failure('TOO_MUCH_LIVE', 6 * GIB, fails_in=FIRST)
def live_weights():
    """A model of 10 GiB is loaded layer by layer onto 6 GiB: grows regularly, but it is no leak."""
    layers = []
    for _ in range(40): layers.append([mib(128), mib(64), mib(64)])
    yield


@failure('TOO_MUCH_LIVE', peak_of_step(0, .8), fails_in=FIRST)
def live_forward():
    """The activations of the first batch do not fit."""
    model = net(width=1024, depth=6)
    yield loss_of(model, 16, 1024).backward()


@failure('TOO_MUCH_LIVE', peak_of_step(0, .97), fails_in=FIRST)
def live_backward():
    """The forward pass fits; the gradients of the logits do not."""
    model = net(width=512, depth=2, classes=32000)
    yield loss_of(model, 16, 1024).backward()


@failure('TOO_MUCH_LIVE', peak_of_step(1, .9), fails_in=range(0, 2))
def live_optimizer_state():
    """Adam's two moments are made in the first optimizer step, beside parameters and gradients."""
    model = net(width=2048, depth=6)
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(2):
        train(model, optimizer, 1, 128)
        yield


@failure('TOO_MUCH_LIVE', peak_of_step(0, .85), fails_in=FIRST)
def live_teacher_and_student():
    """Distillation: two models, and the logits of both."""
    teacher, student = net(width=2048, depth=4), net(width=1024, depth=4)
    x = ids(8, 1024)
    with torch.no_grad(): target = teacher(x)
    F.mse_loss(student(x), target).backward()
    yield


@failure('TOO_MUCH_LIVE', peak_of_step(0, .7), fails_in=FIRST)
def live_evaluation_with_gradients():
    """Evaluation without no_grad: every layer's activations stay until the end of the forward pass."""
    model = net(width=1024, depth=16, classes=512).eval()
    yield model(ids(8, 1024)).sum()


@failure('TOO_MUCH_LIVE', peak_of_step(0, .75), fails_in=FIRST)
def live_without_recompute():
    """Twelve blocks of attention keep their scores because nothing is recomputed."""
    model = net(width=512, depth=12, attention=True, classes=512)
    yield loss_of(model, 4, 1024).backward()


@failure('TOO_MUCH_LIVE', peak_of_step(0, .9), fails_in=FIRST)
def live_data_set():
    """The whole data set is on the device; the first training step finds too little room."""
    samples = [mib(256) for _ in range(24)]
    model = net(width=1024, depth=4)
    loss_of(model, 8, 1024).backward()
    yield samples


@failure('TOO_MUCH_LIVE', peak_of_step(0, .9), settings='expandable_segments:True', fails_in=FIRST)
def live_expandable():
    """Too deep a model for the device; expandable segments."""
    model = net(width=1024, depth=10)
    yield loss_of(model, 8, 1024).backward()


@failure('TOO_MUCH_LIVE', peak_of_step(0, .9), fails_in=FIRST)
def live_embedding_gradient():
    """An embedding of 600,000 rows: its gradient is as large as the table."""
    table = torch.nn.Embedding(600_000, 1024, device='cuda')
    yield table(ids(8, 512)).sum().backward()


@failure('TOO_MUCH_LIVE', 4 * GIB, fails_in=FIRST)
def live_cache_in_advance():
    """A key-value cache for 64 conversations is reserved in advance, then weights are loaded."""
    cache = [mib(52) for _ in range(64)]
    weights = [mib(90) for _ in range(20)]
    yield cache, weights


@failure('TOO_MUCH_LIVE', peak_of_step(0, .8), fails_in=FIRST)
def live_ensemble():
    """Five models answer the same batch, all resident."""
    models = [net(width=2048, depth=3).eval() for _ in range(5)]
    with torch.no_grad(): yield sum(m(ids(4, 512)) for m in models)


@failure('TOO_MUCH_LIVE', peak_of_step(0, .9), settings='max_split_size_mb:128', fails_in=FIRST)
def live_double_precision():
    """The model was converted to double precision."""
    model = net(width=1536, depth=5).double()
    yield loss_of(model, 4, 512).backward()


@failure('TOO_MUCH_LIVE', peak_of_step(1, .95), fails_in=range(0, 2))
def live_momentum():
    """SGD with momentum: the buffers are made in the first optimizer step."""
    model = net(width=2048, depth=6)
    optimizer = torch.optim.SGD(model.parameters(), lr=.1, momentum=.9)
    for _ in range(2):
        train(model, optimizer, 1, 128)
        yield


@failure('TOO_MUCH_LIVE', peak_of_step(0, .9), fails_in=FIRST)
def live_double_backward():
    """A gradient penalty needs the graph of the gradients too."""
    model = net(width=1024, depth=4, classes=1024)
    x = model.embed(ids(8, 1024)).detach().requires_grad_()
    y = x
    for block in model.blocks: y = block(y)
    gradient, = torch.autograd.grad(y.sum(), x, create_graph=True)
    gradient.pow(2).mean().backward()
    yield


@failure('TOO_MUCH_LIVE', peak_of_step(0, .9), fails_in=FIRST)
def live_search_beams():
    """Beam search with 64 beams: each has its copy of the cache."""
    with torch.no_grad():
        prompt = [torch.empty(1, 16, 512, 64, device='cuda') for _ in range(24)]
        beams = [layer.repeat(64, 1, 1, 1) for layer in prompt]
        yield beams
