import { bytesText, exactBytesText } from '../base/bytes';
import { addressText } from '../base/numbers';
import { ALLOCATED, freeBeside, INACTIVE, type MemoryMap, PENDING, segmentOf, STATE_NAMES } from '../model/memory-map';
import { button, element, facts, fill } from './element';
import { Problem, problemBox } from './problem';
import type { Server, StackFacts } from './server';
import { siteLine } from './site-line';
import { stackList } from './stack-list';

const PAUSE_MILLIS = 60;

/** The side panel of the map: the block under the pointer, or the pinned one. */
export class BlockPanel {
  readonly root = element('aside', { class: 'view-side', 'aria-label': 'Selected block' });
  private readonly stacks = new Map<number, StackFacts>();
  private timer = 0;
  private abort = new AbortController();

  constructor(
    private readonly server: Server,
    private readonly unpin: () => void,
  ) {
    this.clear();
  }

  clear(): void {
    this.forget();
    const hint =
      'Point at a block to see what it is, click to pin it. Scroll zooms about the pointer, shift-scroll or dragging moves.';
    fill(this.root, element('p', { class: 'view-hint' }, hint));
  }

  show(map: MemoryMap, block: number, pinned: boolean): void {
    this.forget();
    const stackPlace = element('div', {});
    const state = map.state[block];
    fill(
      this.root,
      element(
        'div',
        { class: 'view-side-head' },
        element('h3', {}, bytesText(map.blockBytes[block])),
        pinned ? button('Unpin', 'Unpin this block (Esc)', this.unpin) : null,
      ),
      element('p', {}, explain(map, block)),
      factsOf(map, block),
      stackPlace,
    );
    if (state === INACTIVE) return;
    const stack = map.stack[block];
    if (stack < 0) {
      fill(stackPlace, element('p', { class: 'muted' }, 'No stack was recorded for this block.'));
      return;
    }
    const known = this.stacks.get(stack);
    if (known !== undefined) fill(stackPlace, ...stackElements(known));
    else this.timer = window.setTimeout(() => void this.load(stack, stackPlace), pinned ? 0 : PAUSE_MILLIS);
  }

  private forget(): void {
    window.clearTimeout(this.timer);
    this.abort.abort();
    this.abort = new AbortController();
  }

  private async load(stack: number, place: HTMLElement): Promise<void> {
    const { signal } = this.abort;
    try {
      const told = await this.server.stack(stack, signal);
      this.stacks.set(stack, told);
      if (!signal.aborted) fill(place, ...stackElements(told));
    } catch (error) {
      if (!signal.aborted)
        fill(
          place,
          problemBox(Problem.of(error), () => void this.load(stack, place)),
        );
    }
  }
}

function stackElements(told: StackFacts): HTMLElement[] {
  return [...(told.site === null ? [] : [siteLine(told.site)]), stackList(told.frames)];
}

function factsOf(map: MemoryMap, block: number): HTMLElement {
  const segment = segmentOf(map, block);
  const { before, after } = freeBeside(map, block);
  const requested = map.requested[block];
  const active = map.state[block] !== INACTIVE;
  return facts([
    ['State', STATE_NAMES[map.state[block]]],
    ['Size', exactBytesText(map.blockBytes[block])],
    ['Requested', active ? exactBytesText(requested) : null],
    ['Rounding', active && !Number.isNaN(requested) ? exactBytesText(map.blockBytes[block] - requested) : null],
    ['Free before', before === 0 ? 'none' : bytesText(before)],
    ['Free after', after === 0 ? 'none' : bytesText(after)],
    ['Address', element('code', {}, addressText(map.blockAddress[block]))],
    ['Stream', map.streams[map.stream[segment]]],
    ['Pool', `${map.pools[map.pool[segment]]}, ${map.kind[segment] === 0 ? 'small' : 'large'}`],
    ['Segment', element('code', {}, addressText(map.address[segment]))],
    ['', `${bytesText(map.bytes[segment])}${map.expandable[segment] === 0 ? '' : ', expandable'}`],
  ]);
}

function explain(map: MemoryMap, block: number): string {
  const { before, after } = freeBeside(map, block);
  switch (map.state[block]) {
    case ALLOCATED:
      return before + after === 0
        ? 'In use.'
        : `In use. Freeing it would leave ${bytesText(map.blockBytes[block] + before + after)} in one piece.`;
    case PENDING:
      return 'Freed, but a stream may still be using it; it comes back when that stream has passed.';
    default:
      return 'Cached by the allocator: free for requests of this pool and stream.';
  }
}
