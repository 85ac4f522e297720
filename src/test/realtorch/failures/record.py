"""Runs the programs and writes, for each, a folder with snapshot.pickle.gz and truth.json.
usage: python -m failures.record OUT [NAME...], in src/test/realtorch, with LD_LIBRARY_PATH as for programs.py

A program whose failure contradicts its cause (see registry.contradiction) is reported and not written: its numbers have to
be changed, not its cause."""
import gzip
import io
import json
import os
import subprocess
import sys

from . import leaks, live, outside, places, spikes  # noqa: F401 declare the programs
from .registry import PROGRAMS, contradiction

UNLIMITED = 1 << 40
SETTINGS = {'expandable': 'expandable_segments:True', 'max_split_128': 'max_split_size_mb:128',
            'roundup_8': 'roundup_power2_divisions:8', 'large_segment_64': 'large_segment_size_mb:64'}
WORKERS = {}


def run(name, settings, total, others, snapshot=None):
    """Runs a program in the worker that has these settings."""
    if settings not in WORKERS:
        environment = dict(os.environ, PYTORCH_CUDA_ALLOC_CONF=settings)
        WORKERS[settings] = subprocess.Popen([sys.executable, '-m', 'failures.worker'], env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    worker = WORKERS[settings]
    worker.stdin.write(json.dumps({'name': name, 'totalBytes': total, 'othersBytes': others, 'snapshot': snapshot}) + '\n')
    worker.stdin.flush()
    answer = json.loads(worker.stdout.readline())
    if 'error' in answer: raise RuntimeError('%s under "%s": %s' % (name, settings, answer['error']))
    return answer


def passes(answer, failed):
    """Whether a run got past the request that failed in the recorded run: the requests are the same in both."""
    return not answer['failures'] or answer['failures'][0]['allocations'] > failed['allocations']


def joined(*settings):
    return ','.join(s for s in settings if s)


def truth_of(program, out):
    name, own, others = program.name, program.settings, program.others
    steps = run(name, without_limit(own), UNLIMITED, 0)['steps'] if callable(program.device) else []
    total = program.total_bytes(steps)
    pickle = os.path.join(out, name + '.pickle')
    answer = run(name, own, total, others, pickle)
    if len(answer['failures']) <= program.failure: return None, 'did not fail', pickle
    facts = answer['failures'][program.failure]
    facts.update(totalBytes=total, othersBytes=others)
    usable = min(total - others, facts['limitBytes'])
    truth = {
        'cause': program.cause, 'alsoPresent': program.also, 'failure': program.failure, 'what': program.what, 'settings': own,
        **facts, 'message': answer['message'],
        'counterfactuals': {'perfectlyPacked': facts['liveBytes'] + facts['askedBytes'] <= usable}, 'underSettings': {}}
    if len(answer['failures']) == 1 and answer['message']:
        other = truth['counterfactuals']
        other['doubleTotal'] = passes(run(name, own, 2 * total, others), facts)
        other['withoutOthers'] = passes(run(name, own, total, 0), facts) if others else None
        other['withoutLimit'] = passes(run(name, without_limit(own), total, others), facts) if own != without_limit(own) else None
        for key, settings in {'default': '', **SETTINGS}.items():
            if settings and settings in own: continue
            again = run(name, joined(own, settings), total, others)
            truth['underSettings'][key] = {'settings': joined(own, settings), 'fits': passes(again, facts)}
    return truth, contradiction(program, facts), pickle


def without_limit(settings):
    return ','.join(s for s in settings.split(',') if not s.startswith('per_process_memory_fraction'))


def pack(pickle, target):
    """Rewrites the folders in the stacks, and compresses without a time stamp."""
    neutral = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'neutral.py')
    subprocess.run([sys.executable, neutral, pickle], check=True, stdout=subprocess.DEVNULL)
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode='wb', compresslevel=9, mtime=0) as z, open(pickle, 'rb') as f: z.write(f.read())
    os.remove(pickle)
    with open(target, 'wb') as f: f.write(packed.getvalue())


def main():
    out, names = sys.argv[1], sys.argv[2:] or list(PROGRAMS)
    contradicted = 0
    for name in names:
        program = PROGRAMS[name]
        folder = os.path.join(out, name)
        os.makedirs(folder, exist_ok=True)
        truth, reason, pickle = truth_of(program, out)
        if reason:
            contradicted += 1
            print('%-32s %s: %s' % (name, program.cause, reason), flush=True)
            if os.path.exists(pickle): os.remove(pickle)
            os.rmdir(folder) if not os.listdir(folder) else None
            continue
        pack(pickle, os.path.join(folder, 'snapshot.pickle.gz'))
        with open(os.path.join(folder, 'truth.json'), 'w') as f: json.dump(truth, f, indent=1)
        print('%-32s %s, step %d, %d bytes' % (name, program.cause, truth['failedAtStep'], os.path.getsize(os.path.join(folder, 'snapshot.pickle.gz'))), flush=True)
    print('%d programs, %d do not do what they claim' % (len(names), contradicted))


main()
