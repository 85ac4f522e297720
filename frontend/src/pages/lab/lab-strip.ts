import { bytesText } from '../../base/bytes';
import { inOrder, type LabBlock, type LabMoment } from '../../model/lab/lab';
import { placed, placedBlocks, rowBytes, type PlacedBlock, type PlacedSegment } from '../../model/lab/lab-layout';
import { element } from '../display/element';

/** Narrower pieces of a segment are drawn together. */
const LEAST_WIDTH = 0.003;

/** Pixels of a character of a text in a block, with some room. */
const CHARACTER = 7;

/** What a click on a block does. */
export interface StripActions {
  /** The text for a block that is allocated, such as "free it". */
  readonly verb: string;
  choose(block: LabBlock): void;
}

/**
 * The segments of a side as rows of blocks, to scale. Blocks are buttons; the arrow keys move between them. Elements
 * are kept from step to step, so that a block that is split or coalesced changes its width visibly.
 */
export class LabStrip {
  readonly root = element('div', { class: 'lab-strip', role: 'group' });
  private readonly rows = new Map<string, HTMLElement>();
  private readonly pieces = new Map<string, HTMLElement>();
  private width = 0;

  constructor(
    label: string,
    private readonly actions: StripActions | null,
  ) {
    this.root.setAttribute('aria-label', label);
    this.root.addEventListener('keydown', (event) => {
      if (event.key === 'ArrowRight') this.move(1, event);
      else if (event.key === 'ArrowLeft') this.move(-1, event);
    });
  }

  /** Shows a state. */
  show(moment: LabMoment, selected: number | null): void {
    this.width = this.root.clientWidth;
    const segments = inOrder(moment.segments);
    const bytesPerRow = rowBytes(segments, moment.step.totals.deviceBytes);
    const seen = new Set<string>();
    const places = placed(segments, bytesPerRow);
    const searched = new Set(moment.step.search?.candidates ?? []);
    for (const place of places) this.showSegment(place, moment, selected, searched, seen);
    this.root.style.setProperty('--rows', String(Math.max(1, (places.at(-1)?.row ?? 0) + 1)));
    for (const kept of [this.rows, this.pieces]) {
      for (const [key, old] of kept) {
        if (seen.has(key)) continue;
        old.remove();
        kept.delete(key);
      }
    }
    this.root.classList.toggle('empty', segments.length === 0);
    this.root.dataset['empty'] = segments.length === 0 ? 'The allocator holds no memory.' : '';
    this.restoreTabStop();
  }

  private showSegment(
    place: PlacedSegment,
    moment: LabMoment,
    selected: number | null,
    searched: ReadonlySet<string>,
    seen: Set<string>,
  ): void {
    const { segment } = place;
    const box = this.rows.get(segment.address) ?? this.addSegment(segment.address);
    seen.add(segment.address);
    box.style.left = percent(place.left);
    box.style.width = percent(place.width);
    box.style.setProperty('--row', String(place.row));
    box.className = `lab-segment ${segment.pool}${segment.expandable ? ' expandable' : ''}`;
    const name = segment.pool === 'region' ? 'Region' : `Segment of the ${segment.pool} pool`;
    box.setAttribute('aria-label', `${name}, ${bytesText(segment.bytes)}, stream ${segment.stream}`);
    const share = 1 / Math.max(place.width, 1e-6);
    for (const piece of placedBlocks(segment, LEAST_WIDTH * share)) {
      const first = piece.blocks[0] as LabBlock;
      const key = `${segment.address}+${first.offset}`;
      seen.add(key);
      const shown = this.pieces.get(key) ?? this.addPiece(key, box);
      shown.style.left = percent(piece.left);
      shown.style.width = percent(piece.width);
      const address = `0x${(BigInt(segment.address) + BigInt(first.offset)).toString(16)}`;
      this.describe(shown, piece, address, moment, selected, place.width * piece.width, searched);
    }
  }

  private addSegment(key: string): HTMLElement {
    const box = element('div', { role: 'group' });
    this.rows.set(key, box);
    this.root.append(box);
    return box;
  }

  private addPiece(key: string, box: HTMLElement): HTMLElement {
    const created = element('button', { type: 'button', tabindex: '-1' });
    created.addEventListener('click', () => {
      const block = shownBlocks.get(created);
      if (block !== undefined && block.state === 'allocated') this.actions?.choose(block);
    });
    this.pieces.set(key, created);
    box.append(created);
    return created;
  }

  private describe(
    shown: HTMLElement,
    piece: PlacedBlock,
    address: string,
    moment: LabMoment,
    selected: number | null,
    width: number,
    searched: ReadonlySet<string>,
  ): void {
    const block = piece.blocks[0] as LabBlock;
    const isOne = piece.blocks.length === 1;
    if (isOne) shownBlocks.set(shown, block);
    else shownBlocks.delete(shown);
    const classes = ['lab-block', block.state];
    if (moment.step.address === address && isOne) classes.push('current');
    if (selected !== null && block.id === selected) classes.push('selected');
    if (searched.has(address)) classes.push('searched');
    if (moment.step.search?.chosen === address) classes.push('chosen');
    shown.className = classes.join(' ');
    shown.dataset['id'] = isOne && block.id >= 0 ? String(block.id) : '';
    const text = isOne ? blockText(block) : `${piece.blocks.length} small ${stateText(block)} blocks`;
    const verb = this.actions !== null && isOne && block.state === 'allocated' ? `: ${this.actions.verb}` : '';
    shown.setAttribute('aria-label', text + verb);
    shown.title = text + verb;
    shown.textContent = isOne ? label(block, width * this.width) : '';
    if (this.actions === null) shown.setAttribute('aria-disabled', 'true');
  }

  /** One block is in the tab order; the arrow keys reach the others. */
  private restoreTabStop(): void {
    const blocks = this.blocks();
    if (blocks.some((block) => block.tabIndex === 0)) return;
    const first = blocks[0];
    if (first !== undefined) first.tabIndex = 0;
  }

  private blocks(): HTMLElement[] {
    return [...this.root.querySelectorAll<HTMLElement>('.lab-block')].sort(
      (a, b) => rank(a) - rank(b) || a.offsetLeft - b.offsetLeft,
    );
  }

  private move(by: number, event: KeyboardEvent): void {
    const blocks = this.blocks();
    const from = blocks.findIndex((block) => block.matches(':focus'));
    const to = blocks[from + by];
    if (from < 0 || to === undefined) return;
    for (const block of blocks) block.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
    event.preventDefault();
    event.stopPropagation();
  }
}

const shownBlocks = new WeakMap<HTMLElement, LabBlock>();

/** The place of a block's segment in the reading order. */
function rank(block: HTMLElement): number {
  const segment = block.parentElement as HTMLElement;
  return Number(segment.style.getPropertyValue('--row')) * 1e6 + segment.offsetLeft;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(4)}%`;
}

function stateText(block: LabBlock): string {
  return block.state === 'inactive' ? 'free' : block.state === 'pending-free' ? 'pending' : 'allocated';
}

function blockText(block: LabBlock): string {
  const size = bytesText(block.bytes);
  if (block.state === 'inactive') return `Free, ${size}`;
  const requested = block.requestedBytes === block.bytes ? '' : `, ${bytesText(block.requestedBytes)} requested`;
  if (block.state === 'allocated') return `Block ${block.id}, ${size}${requested}, stream ${block.stream}`;
  return `Block ${block.id}, ${size}, freed, waits for stream ${block.awaited.join(' and ')}`;
}

/** The longest text that fits into `width` pixels. */
function label(block: LabBlock, width: number): string {
  const size = bytesText(block.bytes);
  const waits = block.state === 'pending-free' ? ` waits for ${block.awaited.join(', ')}` : '';
  const texts =
    block.state === 'inactive' ? [size] : [`${block.id}${waits} · ${size}`, `${block.id} · ${size}`, `${block.id}`];
  return texts.find((text) => text.length * CHARACTER < width) ?? '';
}
