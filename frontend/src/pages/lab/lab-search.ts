import { bytesText } from '../../base/bytes';
import { inOrder, type LabBlock, type LabMoment, type LabSegment } from '../../model/lab/lab';
import { element, fill } from '../display/element';

/** The number of bins of a BFC allocator; each has chunks of at least twice the size of the one before. */
const BINS = 21;

const SMALLEST_CHUNK = 256;

/** More free blocks of a list are counted. */
const MOST_LISTED = 12;

interface Free {
  readonly address: string;
  readonly block: LabBlock;
  readonly segment: LabSegment;
  readonly bin: number;
}

function freeBlocks(moment: LabMoment): Free[] {
  return inOrder(moment.segments).flatMap((segment) =>
    segment.blocks
      .map((block, index) => ({
        address: `0x${(BigInt(segment.address) + BigInt(block.offset)).toString(16)}`,
        block,
        segment,
        bin: segment.bins[index] ?? -1,
      }))
      .filter((free) => free.block.state === 'inactive'),
  );
}

/** The 21 bins of a BFC allocator as an index over its free chunks; those that the latest request searched are lit. */
export function binsView(moment: LabMoment): HTMLElement {
  const free = freeBlocks(moment);
  const search = moment.step.search ?? null;
  const cells = Array.from({ length: BINS }, (_, bin) => {
    const chunks = free.filter((each) => each.bin === bin).sort((a, b) => a.block.bytes - b.block.bytes);
    const isLit = search !== null && bin >= search.firstBin && bin <= search.lastBin;
    const isChosen = search !== null && typeof search.chosen === 'string' && bin === search.lastBin;
    const from = SMALLEST_CHUNK * 2 ** bin;
    const sizes = chunks.map((each) => bytesText(each.block.bytes)).join(', ');
    return element(
      'li',
      {
        class: `lab-bin${isLit ? ' searched' : ''}${isChosen ? ' chosen' : ''}${chunks.length === 0 ? ' none' : ''}`,
        title: `Bin ${bin}, from ${bytesText(from)}: ${chunks.length === 0 ? 'empty' : sizes}`,
      },
      element('b', {}, String(bin)),
      element('span', { class: 'small' }, bytesText(from)),
      element('span', { class: 'small sizes' }, chunks.length === 0 ? '–' : shortened(sizes, chunks.length)),
    );
  });
  return element(
    'figure',
    { class: 'lab-search' },
    element(
      'figcaption',
      { class: 'small muted' },
      search === null
        ? 'Bins: free chunks by size, each from the size in it on.'
        : `Bins: free chunks by size. The request searched bins ${search.firstBin} to ${search.lastBin}${typeof search.chosen === 'string' ? ` and took a chunk of bin ${search.lastBin}` : ' and found none'}.`,
    ),
    element('ol', { class: 'lab-bins' }, ...cells),
  );
}

function shortened(sizes: string, count: number): string {
  return count === 1 ? sizes : `${count} free`;
}

/**
 * The free blocks of a caching allocator, by pool and stream, smallest first: the order in which they are searched.
 * After a request they are those that it searched, lit, with the one that it took.
 */
export function freeListsView(moment: LabMoment, before: LabMoment | null): HTMLElement {
  const search = moment.step.search ?? null;
  const isSearched = search !== null && before !== null;
  const lit = new Set(isSearched ? search.candidates : []);
  const lists = new Map<string, Free[]>();
  for (const free of freeBlocks(isSearched ? before : moment)) {
    const name = `${free.segment.pool} pool, stream ${free.segment.stream}`;
    lists.set(name, [...(lists.get(name) ?? []), free]);
  }
  const figure = element(
    'figure',
    { class: 'lab-search' },
    element(
      'figcaption',
      { class: 'small muted' },
      isSearched
        ? `Free lists that the request found: one for each pool and stream, smallest block first. ${typeof search.chosen === 'string' ? 'It searched the outlined ones and took the dark one.' : 'It searched the outlined ones and took none.'}`
        : 'Free lists: one for each pool and stream, smallest block first.',
    ),
  );
  if (lists.size === 0)
    figure.append(element('p', { class: 'small' }, isSearched ? 'No block was free.' : 'No block is free.'));
  for (const [name, list] of lists) {
    list.sort((a, b) => a.block.bytes - b.block.bytes);
    const items = list.slice(0, MOST_LISTED).map((each) => {
      const state =
        each.address === search?.chosen && isSearched ? ' chosen' : lit.has(each.address) ? ' searched' : '';
      return element('li', { class: `lab-chip${state}` }, bytesText(each.block.bytes));
    });
    if (list.length > MOST_LISTED)
      items.push(element('li', { class: 'small' }, `and ${list.length - MOST_LISTED} more`));
    const line = element('div', { class: 'lab-list' }, element('span', { class: 'small' }, `${name}: `));
    line.append(element('ul', { class: 'lab-chips' }, ...items));
    figure.append(line);
  }
  return figure;
}

/** Replaces the view of the free blocks; `before` is the state before the latest step, if it is known. */
export function showSearch(
  container: HTMLElement,
  moment: LabMoment,
  before: LabMoment | null,
  allocator: string,
): void {
  if (allocator === 'direct') fill(container);
  else fill(container, allocator === 'bfc' ? binsView(moment) : freeListsView(moment, before));
}
