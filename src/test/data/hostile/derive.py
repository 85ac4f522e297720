#!/usr/bin/env python3
"""Writes the files that are damaged copies of a valid snapshot: derive.py

The snapshots come from ../bench/gen_snapshot.py. Everything is seeded, so a second run writes the same bytes.
"""
import os, random, subprocess, sys, tempfile, zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
GENERATOR = os.path.join(HERE, '..', 'bench', 'gen_snapshot.py')


def generate(options):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, 'snapshot.pickle')
        subprocess.run([sys.executable, GENERATOR, '--no-oom', '--gib', '16', '--seed', '33', '--out', out, *options.split()],
                       check=True, stdout=subprocess.DEVNULL)
        with open(out, 'rb') as f:
            return f.read()


def write(name, data):
    with open(os.path.join(HERE, name), 'wb') as f:
        f.write(data)


def fuzz(data, seed, count):
    changed = bytearray(data)
    rng = random.Random(seed)
    for _ in range(count):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


small = generate('--events 600 --ring 33 --stacks 40 --depth 14 --layers 1 --hidden 512 --batch 2')
large = generate('--events 14000 --stacks 600 --depth 30 --layers 4 --hidden 1024 --batch 4')
write('../snapshots/train_33_events.pickle', small)
write('h35_truncated_half.pickle', large[:len(large) // 2])
write('h37_no_stop.pickle', small[:-1])
write('h38_nul_padding_after_stop.pickle', small + bytes(-len(small) % 3 or 3))
write('h39_trailing_garbage.pickle', small + random.Random(39).randbytes(4096))
write('h40_two_pickles.pickle', small + small)
flipped = bytearray(small)
flipped[len(small) // 3] ^= 1 << 4
write('h46_bitflip.pickle', bytes(flipped))
write('h47_fuzz0.pickle', fuzz(small, 0, 40))
write('h47_fuzz1.pickle', fuzz(small, 1, 40))
with zipfile.ZipFile(os.path.join(HERE, 'h20_zip_path_traversal.zip'), 'w', zipfile.ZIP_STORED) as archive:
    archive.writestr(zipfile.ZipInfo('../../../../tmp/evil.pickle', (2025, 1, 1, 0, 0, 0)), small)
