"""Leaks: each step leaves something behind that no later step needs. The device cannot hold what step N has piled up."""
import torch

from .layers import ids, loss_of, net, train
from .registry import GIB, MIB, failure, mib, peak_of_step


@failure('LEAK', peak_of_step(12), fails_in=range(6, 13))
def leak_losses():
    """Losses with their graphs are appended to a list; each keeps the activations of its step."""
    model, losses = net(width=1024, depth=2), []
    for _ in range(14):
        losses.append(loss_of(model, 4, 512))
        yield


@failure('LEAK', peak_of_step(10), fails_in=range(5, 11))
def leak_running_total():
    """total = total + loss: the sum's graph reaches back to the first step."""
    model, total = net(width=1024, depth=3), 0
    for _ in range(12):
        total = total + loss_of(model, 4, 512)
        yield


@failure('LEAK', peak_of_step(12), fails_in=range(6, 13))
def leak_hidden_state():
    """A recurrent state is carried from batch to batch without detach; backward is never reached."""
    weights = torch.nn.Linear(4096, 4096, device='cuda')
    state = torch.zeros(4096, 4096, device='cuda')
    for _ in range(14):
        for _ in range(3): state = torch.tanh(weights(state))
        yield


@failure('LEAK', peak_of_step(12), fails_in=range(6, 13))
def leak_predictions():
    """Validation without gradients; the logits of every batch stay on the device."""
    model, predictions = net(width=1024, depth=2, classes=8192).eval(), []
    with torch.no_grad():
        for _ in range(14):
            predictions.append(model(ids(4, 1024)).float())
            yield


@failure('LEAK', peak_of_step(12), fails_in=range(6, 13))
def leak_feature_cache():
    """A dictionary of features by sample, never emptied, filled while training goes on."""
    model, cache = net(width=1024, depth=2), {}
    optimizer = torch.optim.SGD(model.parameters(), lr=.1)
    for step in range(14):
        train(model, optimizer, 4, 512)
        with torch.no_grad(): cache[step] = model.embed(ids(48, 1024))
        yield


@failure('LEAK', peak_of_step(12), fails_in=range(6, 13))
def leak_replay_buffer():
    """Reinforcement learning: all transitions so far stay on the device."""
    policy, replay = net(width=512, depth=2), []
    optimizer = torch.optim.Adam(policy.parameters())
    for _ in range(14):
        replay.append((mib(96), mib(96), mib(4)))
        train(policy, optimizer, 8, 256)
        yield


@failure('LEAK', peak_of_step(12), fails_in=range(6, 13))
def leak_hook_activations():
    """A forward hook, left over from debugging, appends each block's output."""
    model, seen = net(width=1024, depth=3), []
    for block in model.blocks: block.register_forward_hook(lambda m, i, o: seen.append(o.detach()))
    optimizer = torch.optim.SGD(model.parameters(), lr=.1)
    for _ in range(14):
        train(model, optimizer, 8, 1024)
        yield


@failure('LEAK', peak_of_step(11), fails_in=range(5, 12))
def leak_gradient_history():
    """Gradients of every step are cloned for a plot."""
    model, history = net(width=1536, depth=3), []
    optimizer = torch.optim.SGD(model.parameters(), lr=.1)
    for _ in range(13):
        loss_of(model, 2, 512).backward()
        history.append([p.grad.clone() for p in model.parameters()])
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        yield


@failure('LEAK', peak_of_step(10), fails_in=range(5, 11))
def leak_checkpoints_on_device():
    """The state dict of each epoch is cloned on the device and kept."""
    model, best = net(width=1536, depth=3), []
    optimizer = torch.optim.AdamW(model.parameters())
    for _ in range(12):
        for _ in range(2): train(model, optimizer, 2, 512)
        best.append({k: v.clone() for k, v in model.state_dict().items()})
        yield


@failure('LEAK', peak_of_step(9), fails_in=range(4, 10))
def leak_folds():
    """Cross-validation: the models and optimizers of all folds stay alive."""
    folds = []
    for _ in range(11):
        model = net(width=1536, depth=2)
        optimizer = torch.optim.AdamW(model.parameters())
        for _ in range(2): train(model, optimizer, 2, 512)
        folds.append((model, optimizer))
        yield


@failure('LEAK', peak_of_step(13), fails_in=range(6, 14))
def leak_sessions():
    """A server's key-value caches of finished conversations are never dropped."""
    model, sessions = net(width=1024, depth=2, attention=True).eval(), []
    with torch.no_grad():
        for _ in range(15):
            sessions.append([torch.empty(2, 8, 2048, 128, device='cuda') for _ in range(12)])
            for _ in range(2): model(ids(1, 1024))
            yield


@failure('LEAK', peak_of_step(12), fails_in=range(6, 13))
def leak_prefetched_batches():
    """A side stream loads two batches a step; the loop consumes one."""
    model, queue, side = net(width=1024, depth=2), [], torch.cuda.Stream()
    optimizer = torch.optim.SGD(model.parameters(), lr=.1)
    for _ in range(14):
        with torch.cuda.stream(side): queue += [mib(120), mib(120)]
        torch.cuda.current_stream().wait_stream(side)
        batch = queue.pop(0)
        batch.record_stream(torch.cuda.current_stream())
        train(model, optimizer, 4, 512)
        del batch
        yield


@failure('LEAK', peak_of_step(12), settings='expandable_segments:True', fails_in=range(6, 13))
def leak_expandable():
    """Attention maps are collected for a picture; expandable segments."""
    model, maps = net(width=512, depth=2, attention=True).eval(), []
    with torch.no_grad():
        for _ in range(14):
            model(ids(4, 512))
            maps.append(torch.softmax(torch.empty(8, 8, 1024, 512, device='cuda'), -1))
            yield


@failure('LEAK', peak_of_step(30), fails_in=range(15, 31))
def leak_slowly():
    """A few small tensors a step, in a training loop that is otherwise steady."""
    model, statistics = net(width=1024, depth=1, classes=1024), []
    optimizer = torch.optim.SGD(model.parameters(), lr=.1)
    for _ in range(33):
        train(model, optimizer, 2, 512)
        statistics.append([mib(11) for _ in range(6)] + [mib(3), mib(.5)])
        yield


@failure('LEAK', peak_of_step(11), fails_in=range(5, 12))
def leak_in_pool():
    """Workspaces in a MemPool of their own, all kept."""
    model, pool, kept = net(width=1024, depth=2), torch.cuda.MemPool(), []
    optimizer = torch.optim.SGD(model.parameters(), lr=.1)
    for _ in range(13):
        with torch.cuda.use_mem_pool(pool): kept.append(mib(200))
        train(model, optimizer, 4, 512)
        yield


@failure('LEAK', peak_of_step(12), failure=1, fails_in=range(6, 13))
def leak_after_caught_failure():
    """A batch size finder catches its one failure in the first step; the losses kept by the loop cause the second."""
    model, losses = net(width=1024, depth=2), []
    try: mib(1 << 20)
    except torch.OutOfMemoryError: pass
    for _ in range(14):
        losses.append(loss_of(model, 4, 512))
        yield


@failure(None, 6 * GIB)
def bounded_cache_too_large():
    """A cache with a limit of 8 GiB grows towards it on a device of 6: a leak, or a limit that was chosen too high?"""
    cache = []
    for _ in range(64):
        cache.append(mib(256))
        if len(cache) > 32: cache.pop(0)
        scratch = mib(300)
        del scratch
        yield


@failure(None, 16 * GIB, settings='per_process_memory_fraction:0.25', fails_in=range(6, 30))
def leak_under_limit():
    """A leak that meets a memory fraction: both are true."""
    kept = []
    for _ in range(30):
        scratch = mib(512)
        kept.append(mib(256))
        del scratch
        yield


@failure(None, 12 * GIB)
def accumulates_before_backward():
    """The losses of 32 micro-batches are summed before one backward: large by design, grows like a leak."""
    model, total = net(width=1024, depth=3), 0
    for _ in range(32):
        total = total + loss_of(model, 8, 1024)
        yield
    total.backward()
