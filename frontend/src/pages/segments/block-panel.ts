import { byteAt, intAt, itemAt, numberAt, wordAt } from '../../base/at';
import { bytesText, exactBytesText } from '../../base/bytes';
import { addressText, countText, poolText } from '../../base/numbers';
import {
  ALLOCATED,
  adjacentFreeBytes,
  INACTIVE,
  type MemoryMap,
  PENDING,
  segmentOf,
  SMALL,
  type SnapshotMap,
  STATE_NAMES,
} from '../../model/memory-map';
import type { SnapshotLinks } from '../../model/snapshot-links';
import { button, type Child, descriptionList, element, fill } from '../display/element';
import { inPageLink } from '../snapshot/in-page-link';
import { Problem, problemBox } from '../display/problem';
import type { AllocationDetails, SnapshotClient, StackDetails } from '../snapshot/snapshot-client';
import { siteLine } from '../snapshot/site-line';
import { stackList } from '../snapshot/stack-list';

const DELAY_MILLIS = 60;

export interface BlockActions {
  unpin(): void;
  /** Pins another block. */
  pin(block: number): void;
  /** Shows the state after an event. */
  goTo(event: number): void;
}

/** The side panel of the memory map: the pinned block, or the one under the pointer. */
export class BlockPanel {
  readonly root = element('aside', { class: 'view-side', 'aria-label': 'Selected block' });
  private readonly stacks = new Map<number, StackDetails>();
  private timer = 0;
  private abort = new AbortController();

  constructor(
    private readonly client: SnapshotClient,
    private readonly links: SnapshotLinks,
    private readonly actions: BlockActions,
  ) {
    this.clear();
  }

  clear(
    hint = 'Point at a block to see its details; click to pin it. Scroll to zoom at the pointer, Shift-scroll or drag to move.',
  ): void {
    this.cancelLoad();
    fill(this.root, element('p', { class: 'view-hint' }, hint));
  }

  show(map: SnapshotMap, block: number, pinned: boolean): void {
    this.cancelLoad();
    const stackContainer = element('div', {});
    const state = map.state[block];
    fill(
      this.root,
      element(
        'div',
        { class: 'view-side-head' },
        element('h3', {}, bytesText(numberAt(map.blockBytes, block))),
        pinned ? button('Unpin', 'Unpin this block (Esc)', () => this.actions.unpin()) : null,
      ),
      element('p', {}, explanation(map, block)),
      detailsOf(map, block),
      this.elsewhere(intAt(map.allocation, block), addressText(wordAt(map.blockAddress, block))),
      stackContainer,
    );
    if (state === INACTIVE) return;
    const stack = intAt(map.stack, block);
    if (stack <= 0) {
      fill(stackContainer, element('p', { class: 'muted' }, 'No stack was recorded for this block.'));
      return;
    }
    const cached = this.stacks.get(stack);
    if (cached !== undefined) fill(stackContainer, ...this.stackElements(stack, cached));
    else this.timer = window.setTimeout(() => void this.load(stack, stackContainer), pinned ? 0 : DELAY_MILLIS);
  }

  /** Describes the pinned allocation at a moment at which it is not allocated; `block` is at its address instead. */
  showAbsent(allocation: AllocationDetails, event: number | null, map: SnapshotMap, block: number | null): void {
    this.cancelLoad();
    const { row, requestedBytes, site, stack } = allocation;
    const address = allocation.address ?? '';
    fill(
      this.root,
      element(
        'div',
        { class: 'view-side-head' },
        element('h3', {}, requestedBytes === null ? 'Allocation' : bytesText(requestedBytes)),
        button('Unpin', 'Unpin this allocation (Esc)', () => this.actions.unpin()),
      ),
      element('p', {}, ...this.absence(allocation, event)),
      element('p', {}, ...this.successor(map, block)),
      descriptionList([
        ['Requested', requestedBytes === null ? null : exactBytesText(requestedBytes)],
        ['Address', element('code', {}, address)],
      ]),
      this.elsewhere(row, address),
      site === null || stack === null ? null : siteLine(site, this.links.site(stack)),
      stackList(allocation.frames),
    );
  }

  private absence(allocation: AllocationDetails, event: number | null): Child[] {
    const { allocationEvent, freeRequestedEvent, freeCompletedEvent } = allocation;
    if (allocationEvent !== null && event !== null && event < allocationEvent)
      return ['Not allocated yet: allocated at ', this.moment(allocationEvent), '.'];
    const freed = freeCompletedEvent ?? freeRequestedEvent;
    return freed === null ? ['It has no block at this moment.'] : ['Freed at ', this.moment(freed), '.'];
  }

  private moment(event: number): HTMLElement {
    return inPageLink(this.links.state(event), `event ${countText(event)}`, () => this.actions.goTo(event));
  }

  private successor(map: SnapshotMap, block: number | null): Child[] {
    if (block === null) return ['At this moment its address is in no memory of the allocator.'];
    const state = map.state[block] === INACTIVE ? 'free' : itemAt(STATE_NAMES, byteAt(map.state, block));
    const href = this.links.block(addressText(wordAt(map.blockAddress, block)));
    return [
      'At this moment its address is in ',
      inPageLink(href, `a block of ${bytesText(numberAt(map.blockBytes, block))}`, () => this.actions.pin(block)),
      ` that is ${state}.`,
    ];
  }

  /** Links to other pages about an allocation, none if `row` is negative, and about an address. */
  private elsewhere(row: number, address: string): HTMLElement {
    const links =
      row < 0
        ? []
        : [
            element('a', { href: this.links.allocation(row) }, 'On the timeline'),
            ' · ',
            element('a', { href: this.links.allocationPage(row) }, 'Before and after in this memory'),
            ' · ',
          ];
    return element('p', {}, ...links, element('a', { href: this.links.address(address) }, 'Events about this address'));
  }

  private stackElements(stack: number, { site, frames }: StackDetails): HTMLElement[] {
    return [...(site === null ? [] : [siteLine(site, this.links.site(stack))]), stackList(frames)];
  }

  private cancelLoad(): void {
    window.clearTimeout(this.timer);
    this.abort.abort();
    this.abort = new AbortController();
  }

  private async load(stack: number, container: HTMLElement): Promise<void> {
    const { signal } = this.abort;
    try {
      const details = await this.client.stack(stack, signal);
      this.stacks.set(stack, details);
      if (!signal.aborted) fill(container, ...this.stackElements(stack, details));
    } catch (error) {
      if (!signal.aborted)
        fill(
          container,
          problemBox(Problem.of(error), () => void this.load(stack, container)),
        );
    }
  }
}

function detailsOf(map: MemoryMap, block: number): HTMLElement {
  const segment = segmentOf(map, block);
  const { before, after } = adjacentFreeBytes(map, block);
  const requested = numberAt(map.requested, block);
  const active = map.state[block] !== INACTIVE;
  return descriptionList([
    ['State', itemAt(STATE_NAMES, byteAt(map.state, block))],
    ['Size', exactBytesText(numberAt(map.blockBytes, block))],
    ['Requested', active ? exactBytesText(requested) : null],
    [
      'Rounding',
      active && !Number.isNaN(requested) ? exactBytesText(numberAt(map.blockBytes, block) - requested) : null,
    ],
    ['Free before', before === 0 ? 'none' : bytesText(before)],
    ['Free after', after === 0 ? 'none' : bytesText(after)],
    ['Address', element('code', {}, addressText(wordAt(map.blockAddress, block)))],
    ['Stream', map.isBfc ? null : itemAt(map.streams, intAt(map.stream, segment))],
    [
      'Pool',
      map.isBfc
        ? null
        : `${poolText(itemAt(map.pools, intAt(map.pool, segment)))}, ${map.kind[segment] === SMALL ? 'small' : 'large'}`,
    ],
    [map.isBfc ? 'Region' : 'Segment', element('code', {}, addressText(wordAt(map.address, segment)))],
    [
      map.isBfc ? 'Region size' : 'Segment size',
      `${bytesText(numberAt(map.bytes, segment))}${map.expandable[segment] === 0 ? '' : ', expandable'}`,
    ],
  ]);
}

function explanation(map: MemoryMap, block: number): string {
  const { before, after } = adjacentFreeBytes(map, block);
  switch (map.state[block]) {
    case ALLOCATED:
      return before + after === 0
        ? 'In use.'
        : `In use. Freeing it would leave ${bytesText(numberAt(map.blockBytes, block) + before + after)} of contiguous free memory.`;
    case PENDING:
      return 'Freed, but a stream may still be using it. It becomes inactive when that stream has completed its work.';
    default:
      return map.isBfc
        ? 'Free in the pool: available to any request.'
        : 'Cached by the allocator: available to requests of this pool and stream.';
  }
}
