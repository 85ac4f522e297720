"""Saves what JAX records on this GPU: a memory profile, its allocator's statistics and a real OOM message.

Usage: jax_check.py OUT_DIR. Writes OUT_DIR/jax.json, jax-profile.pb.gz and jax-oom.txt; input for
future parsers and golden cases; nothing is compared yet.
"""

import json
import os
import sys

os.environ.setdefault("XLA_PYTHON_CLIENT_MEM_FRACTION", "0.1")

import jax
import jax.numpy as jnp
import jax.profiler

OUT = sys.argv[1]
device = jax.devices()[0]
arrays = [jnp.ones((1 << 20,), jnp.float32) * i for i in range(20)]
jax.block_until_ready(arrays)
with open(os.path.join(OUT, "jax-profile.pb.gz"), "wb") as file:
    file.write(jax.profiler.device_memory_profile())
stats = device.memory_stats()
message = ""
try:
    while True:
        arrays.append(jax.block_until_ready(jnp.ones((1 << 28,), jnp.float32)))
except Exception as error:  # jaxlib's own type has moved between releases
    message = str(error)
with open(os.path.join(OUT, "jax-oom.txt"), "w") as file:
    file.write(message)
with open(os.path.join(OUT, "jax.json"), "w") as file:
    json.dump({"jax": jax.__version__, "device": str(device), "memory_stats": stats}, file, indent=1)
print(f"jax {jax.__version__} on {device}: out of memory after {len(arrays)} arrays")
sys.exit(0 if "RESOURCE_EXHAUSTED" in message or "out of memory" in message.lower() else 1)
