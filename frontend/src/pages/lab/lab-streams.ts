import { bytesText } from '../../base/bytes';
import type { LabBlock, LabMoment } from '../../model/lab/lab';
import { button, element, fill } from '../display/element';

/** The streams that an exercise shows, at the least. */
const LEAST_STREAMS = 3;

/** The streams of a side: kernels in flight, and what waits for them. `run` appends operations. */
export function showStreams(container: HTMLElement, moment: LabMoment, run: (operation: string) => void): void {
  const blocks = [...moment.segments.values()].flatMap((segment) => segment.blocks);
  const most = Math.max(
    LEAST_STREAMS - 1,
    ...moment.step.kernels.map((kernel) => kernel.stream),
    ...blocks.map((block) => block.stream),
  );
  const lanes = Array.from({ length: most + 1 }, (_, stream) => lane(stream, moment, blocks, run));
  fill(container, element('div', { class: 'lab-streams' }, ...lanes));
}

function lane(
  stream: number,
  moment: LabMoment,
  blocks: readonly LabBlock[],
  run: (operation: string) => void,
): HTMLElement {
  const kernels = moment.step.kernels.filter((kernel) => kernel.stream === stream);
  const held = blocks.filter((block) => block.state === 'pending-free' && block.awaited.includes(stream));
  const active = blocks.filter((block) => block.stream === stream && block.state !== 'inactive');
  const chips = kernels.map((kernel) =>
    element('li', { class: 'lab-chip kernel' }, `kernel ${kernel.number} uses block ${kernel.id}`),
  );
  const finish = button('Finish', `Finish the oldest kernel of stream ${stream}`, () => run(`finish ${stream}`));
  const sync = button('Finish all', `Finish all kernels of stream ${stream}`, () => run(`sync ${stream}`));
  finish.disabled = kernels.length === 0;
  sync.disabled = kernels.length === 0;
  return element(
    'section',
    { class: 'lab-lane', 'data-stream': String(stream) },
    element('h3', {}, `Stream ${stream}`),
    element(
      'ul',
      { class: 'lab-chips' },
      ...(chips.length === 0 ? [element('li', { class: 'small muted' }, 'idle')] : chips),
    ),
    element(
      'p',
      { class: 'small muted' },
      `${bytesText(active.reduce((sum, block) => sum + block.bytes, 0))} in its blocks` +
        (held.length === 0
          ? ''
          : `; ${held.map((block) => `block ${block.id}`).join(', ')} ${kernels.length > 0 ? 'waits for it' : 'is held until the next request looks at its event'}`),
    ),
    element('div', { class: 'actions' }, finish, sync),
  );
}
