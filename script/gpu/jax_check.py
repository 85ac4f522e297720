"""Makes JAX run out of memory on this GPU and shows the service what it wrote: its log, with the dump of XLA's allocator,
the message of the exception, and a device memory profile.

Usage: VRAMSCOPE_URL=http://127.0.0.1:PORT jax_check.py OUT_DIR. Writes OUT_DIR/jax.json, jax-profile.pb.gz, jax-oom.log
and what the allocator dumps as a file, if it does; exits with 1 if the service does not understand one of them.
"""

import json
import os
import subprocess
import sys
import urllib.error
import urllib.request

OUT = os.path.abspath(sys.argv[1])
URL = os.environ.get("VRAMSCOPE_URL")
PROFILE, MESSAGE, LOG, STATS = (
    os.path.join(OUT, name) for name in ("jax-profile.pb.gz", "jax-oom.txt", "jax-oom.log", "jax-stats.json")
)
ENVIRONMENT = {
    "XLA_PYTHON_CLIENT_MEM_FRACTION": "0.1",
    "TF_CPP_MIN_LOG_LEVEL": "0",
    "TF_BFC_MEMORY_DUMP": os.path.join(OUT, "jax-bfc-dump"),
}


def run_out_of_memory():
    """The program: twenty arrays of 4 MiB, then arrays of 1 GiB until none fits."""
    import jax
    import jax.numpy as jnp
    import jax.profiler

    device = jax.devices()[0]
    arrays = [jnp.ones((1 << 20,), jnp.float32) * i for i in range(20)]
    jax.block_until_ready(arrays)
    with open(PROFILE, "wb") as file:
        file.write(jax.profiler.device_memory_profile())
    stats = device.memory_stats()
    message = ""
    try:
        while True:
            arrays.append(jax.block_until_ready(jnp.ones((1 << 28,), jnp.float32)))
    except Exception as error:  # jaxlib's own type has moved between releases
        message = str(error)
    with open(MESSAGE, "w") as file:
        file.write(message)
    with open(STATS, "w") as file:
        json.dump(
            {
                "jax": jax.__version__,
                "device": str(device),
                "arrays": len(arrays),
                "memory_stats": stats,
                "memory_stats_at_failure": device.memory_stats(),
            },
            file,
        )


def post(path, name):
    with open(name, "rb") as file:
        data = file.read()
    request = urllib.request.Request(URL + path, data, {"Content-Type": "application/octet-stream", "Accept": "application/json"})
    try:
        with urllib.request.urlopen(request) as answer:
            return json.loads(answer.read())
    except urllib.error.HTTPError as error:
        return {"problem": json.loads(error.read())}


if len(sys.argv) > 2:
    run_out_of_memory()
    sys.exit(0)
with open(LOG, "w") as log:
    subprocess.run(
        [sys.executable, __file__, OUT, "run"], env=dict(os.environ, **ENVIRONMENT), stdout=log, stderr=log, check=True
    )
with open(STATS) as file:
    result = json.load(file)
os.remove(STATS)
dumps = sorted(os.path.join(OUT, name) for name in os.listdir(OUT) if name.startswith("jax-bfc-dump"))
result["explained"] = {os.path.basename(name): post("/api/v1/explain", name) for name in (MESSAGE, LOG)}
result["stored"] = {os.path.basename(name): post("/api/v1/snapshots?job=gpu-check", name) for name in [PROFILE, LOG, *dumps]}
with open(os.path.join(OUT, "jax.json"), "w") as file:
    json.dump(result, file, indent=1)
refused = [name for part in ("explained", "stored") for name, answer in result[part].items() if "problem" in answer]
print(
    "jax %s on %s: out of memory after %d arrays; %d files of the allocator; refused by the service: %s"
    % (result["jax"], result["device"], result["arrays"], len(dumps), refused or "none")
)
sys.exit(1 if refused else 0)
