"""Loads a snapshot with pickle and prints a summary as key=value lines."""

import pickle
import pickletools
import sys

path = sys.argv[1]
with open(path, "rb") as file:
    snapshot = pickle.load(file)
with open(path, "rb") as file:
    opcodes = sorted({opcode.name for opcode, _, _ in pickletools.genops(file)})

traces = snapshot["device_traces"]
events = [event for trace in traces for event in trace]
segments = snapshot["segments"]
blocks = [block for segment in segments for block in segment["blocks"]]
stacks = [owner["frames"] for owner in events + segments + blocks if "frames" in owner]
frames = [frame for stack in stacks for frame in stack]


def show(key, value):
    print(f"{key}={value}")


show("opcodes", " ".join(opcodes))
show("top", " ".join(snapshot))
show("traces", " ".join(str(len(trace)) for trace in traces))
show("segments", len(segments))
show("blocks", len(blocks))
show("reserved", sum(segment["total_size"] for segment in segments))
show("allocated", sum(segment["allocated_size"] for segment in segments))
show("active", sum(segment["active_size"] for segment in segments))
show("requested", sum(segment["requested_size"] for segment in segments))
show("block bytes", sum(block["size"] for block in blocks))
show("states", " ".join(sorted({block["state"] for block in blocks})))
show("pools", " ".join(str(segment["segment_pool_id"]) for segment in segments))
show("segment keys", " ".join(segments[0]) if segments else "")
show("block keys", " ".join(blocks[0]) if blocks else "")
show("distinct stack lists", len({id(stack) for stack in stacks}))
show("distinct frame dicts", len({id(frame) for frame in frames}))
show("frame references", len(frames))
for number, event in enumerate(events[: int(sys.argv[2])]):
    plain = {key: value for key, value in event.items() if key != "frames"}
    names = [frame["name"] for frame in event.get("frames", [])]
    show(f"event {number}", f"{plain} {names}")
show("frame 0", frames[0] if frames else "")
show("longest name", max((len(frame["name"]) for frame in frames), default=0))
for key, value in snapshot.get("allocator_settings", {}).items():
    show(f"setting {key}", f"{type(value).__name__} {value}")
for number, annotation in enumerate(snapshot["external_annotations"]):
    show(f"annotation {number}", annotation)
