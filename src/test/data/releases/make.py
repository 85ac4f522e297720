#!/usr/bin/env python3
"""Keeps the data folder that a release writes, and what it says of the snapshots in it, for ReleasedDataIT.

    src/test/data/releases/make.py JAR VERSION

Starts JAR with an empty data folder, stores snapshots of every kind that the release accepts, with names, tags and evidence, stops it and
writes VERSION/data.zip and VERSION/snapshots.json beside this file.
"""
import json
import pathlib
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE.parent
sys.path.insert(0, str(HERE.parents[3] / "script"))
from measured_start import running  # noqa: E402

UPLOADS = [
    ("snapshots/train_33_events.pickle", {"name": "train", "job": "llama", "rank": "3", "step": "1200", "host": "node1", "labels": "nightly"}),
    ("ooms/frag_half/snapshot.pickle.gz", {"name": "frag half"}),
    ("ooms/leak_steps/snapshot.pickle.gz", {"name": "leak é"}),
    ("snapshots/pinned_host.pickle", {"name": "pinned"}),
    ("xla/jax_gpu_oom/before.pb.gz", {"name": "profile", "job": "jax"}),
    ("xla/jax_gpu_oom/memory.dump", {"name": "dump", "job": "jax"}),
]
EVIDENCE = "NVIDIA H100 80GB HBM3"


def sent(url, method, content=None, headers=None):
    request = urllib.request.Request(url, data=content, method=method, headers=headers or {})
    return json.loads(urllib.request.urlopen(request).read() or b"null")


def attached(url):
    """Attaches a text to a snapshot; the attached texts, none if the release or the snapshot does not take any."""
    try:
        sent(url, "POST", EVIDENCE.encode(), {"Content-Type": "text/plain"})
        return [each["text"] for each in sent(url, "GET")["evidence"]]
    except urllib.error.HTTPError:
        return []


def packed(folder, archive):
    with zipfile.ZipFile(archive, "w") as zip:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            if file.name not in ("vramscope.lock", "vramscope.trace.db"):
                entry = zipfile.ZipInfo(str(file.relative_to(folder)))
                zip.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED, 9)


def main(jar, version):
    target = HERE / version
    target.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        with running(jar, folder) as (base, _):
            api = base + "/api/v1/snapshots"
            for path, tags in UPLOADS:
                file = DATA / path
                try:
                    stored = sent(f"{api}?{urllib.parse.urlencode(tags)}", "POST", file.read_bytes())
                    print(stored["id"], tags["name"])
                except urllib.error.HTTPError as refused:
                    print(f"{path} is not accepted: {refused.read().decode()[:200]}")
            listed = sent(api, "GET")
            for each in listed["snapshots"]:
                each["evidence"] = attached(f"{api}/{each['id']}/evidence")
        (target / "snapshots.json").write_text(json.dumps(listed, indent=1, ensure_ascii=False) + "\n")
        packed(pathlib.Path(folder), target / "data.zip")


if len(sys.argv) != 3:
    sys.exit(__doc__)
main(sys.argv[1], sys.argv[2])
