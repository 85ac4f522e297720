import { byteAt, intAt, itemAt, numberAt, wordAt } from '../../base/at';
import { bytesText, exactBytesText } from '../../base/bytes';
import { addressText, poolText, streamText } from '../../base/numbers';
import type { LiveMap } from '../../model/live/live-map';
import { ALLOCATED, adjacentFreeBytes, INACTIVE, segmentOf, SMALL, STATE_NAMES } from '../../model/memory-map';
import { button, descriptionList, element } from '../display/element';
import { updateUnlessPressed } from '../display/press';
import { updateContent } from '../display/update-content';

/** The side panel of a live map: the pinned block, or the one under the pointer. */
export class LiveBlockPanel {
  readonly root = element('aside', { class: 'view-side', 'aria-label': 'Selected block' });

  constructor(private readonly unpin: () => void) {
    this.clear();
  }

  clear(): void {
    const hint =
      'Point at a block to see its details; click to pin it. Each line of the map shows consecutive bytes of one pool and stream; all lines have the same scale.';
    this.update(element('p', { class: 'view-hint' }, hint));
  }

  /** The segment of the pinned block was released. */
  showReleased(address: bigint): void {
    this.update(
      element('h3', {}, 'Segment released'),
      element('p', {}, `The segment of the block at ${addressText(address)} was released to the device.`),
      button('Unpin', 'Unpin (Esc)', this.unpin),
    );
  }

  show(live: LiveMap, sites: readonly string[], block: number, pinned: boolean): void {
    const { map, awaited } = live;
    const segment = segmentOf(map, block);
    const { before, after } = adjacentFreeBytes(map, block);
    const active = map.state[block] !== INACTIVE;
    const site = active ? (sites[intAt(map.stack, block)] ?? '') : '';
    const streams = awaited.get(block);
    this.update(
      element(
        'div',
        { class: 'view-side-head' },
        element('h3', {}, bytesText(numberAt(map.blockBytes, block))),
        pinned ? button('Unpin', 'Unpin this block (Esc)', this.unpin) : null,
      ),
      element('p', {}, explanation(live, block)),
      descriptionList([
        ['State', itemAt(STATE_NAMES, byteAt(map.state, block))],
        ['Allocated in', active ? (site === '' ? 'outside any scope' : site) : null],
        ['Waits for', streams === undefined ? null : streamsText(streams)],
        ['Requested', active ? exactBytesText(numberAt(map.requested, block)) : null],
        ['Size', exactBytesText(numberAt(map.blockBytes, block))],
        ['Adjacent free memory', before + after === 0 ? 'none' : bytesText(before + after)],
        ['Address', element('code', {}, addressText(wordAt(map.blockAddress, block)))],
        ['Stream', itemAt(map.streams, intAt(map.stream, segment))],
        [
          'Pool',
          `${poolText(itemAt(map.pools, intAt(map.pool, segment)))}, ${map.kind[segment] === SMALL ? 'small' : 'large'}`,
        ],
        ['Segment', `${bytesText(numberAt(map.bytes, segment))}${map.expandable[segment] === 0 ? '' : ', expandable'}`],
      ]),
    );
  }

  /** Frames arrive while the user clicks a button or selects a text here: what stays the same is not replaced. */
  private update(...children: HTMLElement[]): void {
    const fresh = element('aside', {}, ...children);
    updateUnlessPressed(this.root, () => updateContent(this.root, fresh));
  }
}

function streamsText(streams: readonly number[]): string {
  if (streams.length === 0) return 'an unknown stream';
  return `${streams.length === 1 ? 'stream' : 'streams'} ${streams.map(streamText).join(', ')}`;
}

function explanation({ map, awaited }: LiveMap, block: number): string {
  const { before, after } = adjacentFreeBytes(map, block);
  const streams = awaited.get(block);
  if (streams !== undefined) return `Freed, but ${streamsText(streams)} may still be using it.`;
  if (map.state[block] !== ALLOCATED) return 'Cached by the allocator: available to requests of this pool and stream.';
  return before + after === 0
    ? 'In use.'
    : `In use. Freeing it would leave ${bytesText(numberAt(map.blockBytes, block) + before + after)} of contiguous free memory.`;
}
