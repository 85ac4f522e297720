import { bytesText, exactBytesText } from '../../base/bytes';
import { countText, poolText } from '../../base/numbers';
import { durationText, relativeTimeText } from '../../base/time';
import type { SnapshotLinks } from '../../model/snapshot-links';
import { button, type Child, descriptionList, element, fill } from '../display/element';
import { inPageLink } from '../snapshot/in-page-link';
import { Problem, problemBox } from '../display/problem';
import type { AllocationDetails, SnapshotClient } from '../snapshot/snapshot-client';
import { siteLine } from '../snapshot/site-line';
import { stackList } from '../snapshot/stack-list';

/** A pointer that only passes over an allocation causes no request. */
const DELAY_MILLIS = 60;
const MAX_CACHED = 500;

export interface PanelActions {
  unpin(): void;
  showLifetime(allocation: AllocationDetails): void;
  /** Puts the cursor on an event. */
  showEvent(event: number): void;
  /** Called with each allocation whose details are shown. */
  shown(allocation: AllocationDetails): void;
}

/** The side panel of the timeline: details of the pinned allocation, or of the one under the pointer. */
export class AllocationPanel {
  readonly root = element('aside', { class: 'view-side', 'aria-label': 'Selected allocation' });
  private readonly cache = new Map<number, AllocationDetails>();
  /** Time of the first event on the trace's clock; times are shown relative to it. */
  firstTimeMicros = NaN;
  private shown: number | null = null;
  private pinned = false;
  private timer = 0;
  private abort = new AbortController();

  constructor(
    private readonly client: SnapshotClient,
    private readonly links: SnapshotLinks,
    private readonly actions: PanelActions,
  ) {
    this.clear();
  }

  clear(): void {
    this.cancelLoad();
    this.root.replaceChildren(
      element(
        'p',
        { class: 'view-hint' },
        'Point at a rectangle to see what allocated it; click to pin it, or use the arrow keys and Enter. Scroll to zoom, drag to move, Shift-drag to mark events.',
      ),
    );
  }

  /** Shows a text instead of an allocation, with `keepsList` above the list that was added to the last one: for the band of small allocations, or cached memory. */
  showText(title: string, text: string, keepsList = false): void {
    this.cancelLoad();
    // Otherwise the list would flicker while the pointer moves.
    const list = keepsList ? this.root.querySelector('.rest-sites') : null;
    this.root.replaceChildren(element('h3', {}, title), element('p', { class: 'band-text' }, text), list ?? '');
  }

  /** Adds more about what the text is about; nothing if the panel shows something else by now. */
  addToText(list: HTMLElement): void {
    const text = this.root.querySelector('.band-text');
    if (text === null) return;
    this.root.querySelector('.rest-sites')?.remove();
    text.after(list);
  }

  /** Shows the allocation in row `allocation`; loads its details first if they are not cached. */
  show(allocation: number, pinned: boolean): void {
    this.pinned = pinned;
    const cached = this.cache.get(allocation);
    if (cached !== undefined) {
      this.cancelLoad();
      this.shown = allocation;
      this.render(cached);
      return;
    }
    if (this.shown === allocation) return;
    this.cancelLoad();
    this.shown = allocation;
    this.root.classList.add('is-loading');
    this.timer = window.setTimeout(() => void this.load(allocation), pinned ? 0 : DELAY_MILLIS);
  }

  private cancelLoad(): void {
    window.clearTimeout(this.timer);
    this.abort.abort();
    this.abort = new AbortController();
    this.shown = null;
    this.root.classList.remove('is-loading');
  }

  private async load(allocation: number): Promise<void> {
    const { signal } = this.abort;
    try {
      const details = await this.client.allocation(allocation, signal);
      if (signal.aborted) return;
      if (this.cache.size >= MAX_CACHED) this.cache.clear();
      this.cache.set(allocation, details);
      this.root.classList.remove('is-loading');
      this.render(details);
    } catch (error) {
      if (signal.aborted) return;
      this.root.classList.remove('is-loading');
      const retry = () => void this.load(allocation);
      this.root.replaceChildren(problemBox(Problem.of(error), retry));
    }
  }

  private render(details: AllocationDetails): void {
    fill(
      this.root,
      element(
        'div',
        { class: 'view-side-head' },
        element('h3', {}, bytesText(details.requestedBytes ?? details.allocatedBytes ?? NaN)),
        this.pinned ? button('Unpin', 'Unpin this allocation (Esc)', this.actions.unpin) : null,
      ),
      siteLine(details.site, details.stack === null ? null : this.links.site(details.stack)),
      descriptionList([
        ['Requested', exactBytesText(details.requestedBytes ?? NaN)],
        ['Block', details.allocatedBytes === null ? null : exactBytesText(details.allocatedBytes)],
        ['Address', this.address(details)],
        ['Allocated', this.allocated(details)],
        ['Freed', this.freed(details)],
        ['Lifetime', details.lifeMicros === null ? null : durationText(details.lifeMicros)],
        ['Stream', String(details.stream)],
        ['Pool', details.pool === null ? null : poolText(details.pool)],
        ['Probable use', details.use],
        ['Compile context', details.compileContext],
        ['User metadata', details.userMetadata],
      ]),
      this.pinned
        ? button('Show whole lifetime', 'Zoom to the lifetime of this allocation', () =>
            this.actions.showLifetime(details),
          )
        : null,
      element('a', { href: this.links.allocationPage(details.row) }, 'Before and after in this memory'),
      stackList(details.frames),
    );
    this.actions.shown(details);
  }

  private address({ address, segment }: AllocationDetails): Child {
    if (address === null) return 'none: the recording has only the sum of what was live before';
    const text = element('code', {}, address);
    return segment === null
      ? text
      : element('a', { href: this.links.block(address), title: 'In the segment map' }, text);
  }

  private event(event: number): HTMLElement {
    return inPageLink(this.links.event(event), `event ${countText(event)}`, () => this.actions.showEvent(event));
  }

  private allocated(details: AllocationDetails): Child {
    if (details.allocationEvent === null) return 'before the first event';
    const micros = details.allocationMicros === null ? NaN : details.allocationMicros - this.firstTimeMicros;
    return element(
      'span',
      {},
      this.event(details.allocationEvent),
      Number.isNaN(micros) ? null : ` (${relativeTimeText(micros)})`,
    );
  }

  private freed({ freeRequestedEvent: requested, freeCompletedEvent: completed }: AllocationDetails): Child {
    if (requested === null && completed === null) return 'not within the trace';
    if (completed === null) {
      return element('span', {}, 'requested at ', this.event(requested ?? 0), ', pending at the end of the trace');
    }
    if (requested === null || completed - requested <= 1) return this.event(completed);
    return element('span', {}, 'requested at ', this.event(requested), ', completed at ', this.event(completed));
  }
}
