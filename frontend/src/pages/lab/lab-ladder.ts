import { bytesText } from '../../base/bytes';
import type { LabStep } from '../../model/lab/lab';
import { element, fill } from '../display/element';

interface Rung {
  readonly step: string;
  readonly title: string;
  readonly settings: string;
}

/** The rungs of PyTorch's allocator, in order, with what changes each. */
const RUNGS: readonly Rung[] = [
  {
    step: 'search',
    title: 'A free block of this pool and stream, large enough',
    settings: 'max_split_size_mb, roundup_power2_divisions; record_stream holds blocks back',
  },
  {
    step: 'callbacks',
    title: 'Callbacks that free memory; then search again',
    settings: 'only programs that register one; none is registered here',
  },
  {
    step: 'collect-garbage',
    title: 'Release old unused segments above a threshold',
    settings: 'garbage_collection_threshold, with a memory limit',
  },
  {
    step: 'acquire',
    title: 'Ask the driver for a segment, or for pages',
    settings: 'expandable_segments, large_segment_size_mb, set_per_process_memory_fraction; other programs',
  },
  {
    step: 'search-fallback-pools',
    title: 'A free block of a MemPool with use_on_oom',
    settings: 'torch.cuda.MemPool(use_on_oom=True)',
  },
  {
    step: 'release-oversize',
    title: 'Release available blocks above max_split_size, ask again',
    settings: 'max_split_size_mb',
  },
  {
    step: 'release-cache',
    title: 'Wait for all streams, release the whole cache, ask again',
    settings: 'nothing can be released of a segment with a block in use, unless it is expandable',
  },
  { step: 'failed', title: 'Out of memory', settings: 'the except block of your program' },
];

/** The ladder of the latest request: what each rung did. */
export function showLadder(container: HTMLElement, step: LabStep): void {
  const isRequest = step.search !== undefined && step.search !== null;
  fill(
    container,
    element(
      'ol',
      { class: 'lab-ladder' },
      ...RUNGS.map((rung) => {
        const [state, text] = isRequest ? outcome(rung, step) : (['idle', ''] as const);
        return element(
          'li',
          { class: `lab-rung ${state}`, 'data-rung': rung.step, 'data-state': state },
          element('b', {}, rung.title),
          element('span', { class: 'outcome' }, text),
          element('span', { class: 'small muted' }, `Changed by: ${rung.settings}`),
        );
      }),
    ),
    isRequest
      ? null
      : element('p', { class: 'small muted' }, 'This step is no request. Step to one to see its way up the ladder.'),
  );
}

type State = 'served' | 'tried' | 'skipped' | 'idle' | 'failed';

function outcome(rung: Rung, step: LabStep): readonly [State, string] {
  const attempts = step.attempts.filter((attempt) => attempt.step === rung.step);
  switch (rung.step) {
    case 'search': {
      // In the allocator's own words: it may have one that is large enough, and keep it.
      const found = step.reasons.find((reason) => reason.kind === 'searched')?.text ?? '';
      return step.attempts.length === 0 && !step.failed ? ['served', found] : ['tried', found];
    }
    case 'failed':
      return step.failed ? ['failed', 'The request fails.'] : ['skipped', 'Not reached.'];
    case 'acquire':
      return acquired(step);
    default: {
      const last = attempts.at(-1);
      if (last === undefined) return ['skipped', step.attempts.length === 0 ? 'Not reached.' : 'Does not apply here.'];
      const released = rung.step === 'search-fallback-pools' ? '' : `Releases ${bytesText(last.bytes)}.`;
      return ['tried', released === '' ? 'None is large enough.' : released];
    }
  }
}

function acquired(step: LabStep): readonly [State, string] {
  if (step.attempts.length === 0) return step.failed ? ['skipped', 'Not asked.'] : ['skipped', 'Not reached.'];
  const attempts = step.attempts.filter((attempt) => attempt.step === 'acquire');
  const limited = step.attempts.some((attempt) => attempt.step === 'check-limit');
  const first = attempts[0];
  if (first === undefined) return ['tried', limited ? 'Refused by the memory limit; the driver is not asked.' : ''];
  if (first.isEnough) {
    return limited
      ? ['served', `The memory limit refuses it at first; provides ${bytesText(first.bytes)} after the release below.`]
      : ['served', `Provides ${bytesText(first.bytes)}.`];
  }
  const last = attempts.at(-1);
  return last?.isEnough === true
    ? ['served', `Refuses ${bytesText(first.bytes)} at first; provides it after the release below.`]
    : ['tried', `Refuses ${bytesText(first.bytes)}${attempts.length > 1 ? ', each time' : ''}.`];
}
