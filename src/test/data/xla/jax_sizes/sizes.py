"""Compiles three functions of JAX at seven sizes each, and keeps what XLA says about their memory.

    pip install jax==0.10.2
    python3 sizes.py OUT

For each function it writes a text with the printed `memory_analysis()` of all sizes, and the buffer
assignment of each size; `truth.json` has the sums that `memory_analysis()` has as attributes.
"""

import glob
import json
import os
import shutil
import sys
import tempfile

OUT = os.path.abspath(sys.argv[1])
DUMP = tempfile.mkdtemp()
os.environ["XLA_FLAGS"] = f"--xla_dump_to={DUMP} --xla_dump_hlo_as_text"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402

SIZES = [4, 8, 16, 32, 64, 128, 256]
WIDTH = 128
HEADS = 4
F32 = jnp.float32


def array(*shape):
    return jax.ShapeDtypeStruct(shape, F32)


def trained(loss):
    """One step of gradient descent; the parameters are donated."""

    def step(parameters, *data):
        value, gradients = jax.value_and_grad(loss)(parameters, *data)
        return value, jax.tree.map(lambda p, g: p - 0.01 * g, parameters, gradients)

    return step


MLP = {"a": array(WIDTH, 4 * WIDTH), "b": array(4 * WIDTH, 4 * WIDTH), "c": array(4 * WIDTH, 10)}


def mlp_loss(p, x, y):
    h = jax.nn.gelu(x @ p["a"])
    h = jax.nn.gelu(h @ p["b"])
    return -jnp.mean(jnp.sum(jax.nn.log_softmax(h @ p["c"]) * y, axis=-1))


ATTENTION = {
    "qkv": array(WIDTH, 3 * WIDTH),
    "out": array(WIDTH, WIDTH),
    "up": array(WIDTH, 4 * WIDTH),
    "down": array(4 * WIDTH, WIDTH),
}


def norm(x):
    return (x - x.mean(-1, keepdims=True)) * jax.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)


def attention_loss(p, x, y):
    batch, length, width = x.shape
    q, k, v = jnp.split(norm(x) @ p["qkv"], 3, axis=-1)
    heads = lambda t: t.reshape(batch, length, HEADS, width // HEADS).transpose(0, 2, 1, 3)
    scores = heads(q) @ heads(k).transpose(0, 1, 3, 2) / (width // HEADS) ** 0.5
    scores = jnp.where(jnp.tril(jnp.ones((length, length), bool)), scores, -1e9)
    mixed = jax.nn.softmax(scores) @ heads(v)
    x = x + mixed.transpose(0, 2, 1, 3).reshape(batch, length, width) @ p["out"]
    x = x + jax.nn.gelu(norm(x) @ p["up"]) @ p["down"]
    return jnp.mean((x - y) ** 2)


def named(function, name):
    function.__name__ = name
    return function


def programs():
    for size in SIZES:
        yield "mlp", "batch", size, trained(mlp_loss), MLP, (array(size, WIDTH), array(size, 10))
    for size in SIZES:
        data = array(size, 64, WIDTH)
        yield "attention", "batch", size, trained(attention_loss), ATTENTION, (data, data)
    for size in SIZES:
        data = array(4, size, WIDTH)
        yield "attention", "length", size, trained(attention_loss), ATTENTION, (data, data)


def main():
    os.makedirs(OUT, exist_ok=True)
    truth = {}
    for function, parameter, size, step, parameters, data in programs():
        name = f"{function}_{parameter}{size}"
        compiled = jax.jit(named(step, name), donate_argnums=0).lower(parameters, *data).compile()
        memory = compiled.memory_analysis()
        sums = {
            each[: -len("_in_bytes")]: getattr(memory, each)
            for each in dir(memory)
            if each.endswith("_in_bytes")
        }
        truth.setdefault(f"{function}_{parameter}", {})[size] = sums
        with open(f"{OUT}/{function}_{parameter}.txt", "a", encoding="utf-8") as out:
            print(f"{name}: {memory}", file=out)
            print(json.dumps({f"{key}_in_bytes": each for key, each in sums.items()}), file=out)
        for kind in ["buffer-assignment", "live-range"]:
            for file in glob.glob(f"{DUMP}/*.jit_{name}.*_after_optimizations-{kind}.txt"):
                shutil.copy(file, OUT)
    with open(f"{OUT}/truth.json", "w", encoding="utf-8") as out:
        json.dump({"jax": jax.__version__, "sums": truth}, out, indent=1)
    shutil.rmtree(DUMP)


main()
