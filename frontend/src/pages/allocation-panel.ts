import { bytesText, exactBytesText } from '../base/bytes';
import { countText } from '../base/numbers';
import { durationText, relativeTimeText } from '../base/time';
import { button, descriptionList, element, fill } from './element';
import { Problem, problemBox } from './problem';
import type { AllocationDetails, SnapshotClient } from './snapshot-client';
import { siteLine } from './site-line';
import { stackList } from './stack-list';

/** A pointer that only passes over an allocation causes no request. */
const DELAY_MILLIS = 60;
const MAX_CACHED = 500;

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
    private readonly actions: { unpin: () => void; showLifetime: (allocation: AllocationDetails) => void },
  ) {
    this.clear();
  }

  clear(): void {
    this.cancelLoad();
    this.root.replaceChildren(
      element(
        'p',
        { class: 'view-hint' },
        'Point at a rectangle to see what allocated it; click to pin it. Scroll to zoom, drag to move, Shift-drag to zoom to a range.',
      ),
    );
  }

  /** Shows a text instead of an allocation: for the band of small allocations, or cached memory. */
  showText(title: string, text: string): void {
    this.cancelLoad();
    this.root.replaceChildren(element('h3', {}, title), element('p', {}, text));
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
      siteLine(details.site),
      descriptionList([
        ['Requested', exactBytesText(details.requestedBytes ?? NaN)],
        ['Block', details.allocatedBytes === null ? null : exactBytesText(details.allocatedBytes)],
        ['Address', element('code', {}, details.address)],
        ['Allocated', allocated(details, this.firstTimeMicros)],
        ['Freed', freed(details)],
        ['Lifetime', details.lifeMicros === null ? null : durationText(details.lifeMicros)],
        ['Stream', String(details.stream)],
        ['Pool', details.pool],
        ['Category', details.category],
        ['Compile context', details.compileContext],
        ['User metadata', details.userMetadata],
      ]),
      this.pinned
        ? button('Show whole lifetime', 'Zoom to the lifetime of this allocation', () =>
            this.actions.showLifetime(details),
          )
        : null,
      stackList(details.frames),
    );
  }
}

function allocated(details: AllocationDetails, firstTimeMicros: number): string {
  if (details.allocationEvent === null) return 'before the first event';
  const micros = details.allocationMicros === null ? NaN : details.allocationMicros - firstTimeMicros;
  return `event ${countText(details.allocationEvent)}${Number.isNaN(micros) ? '' : ` (${relativeTimeText(micros)})`}`;
}

function freed(details: AllocationDetails): string {
  const { freeRequestedEvent: requested, freeCompletedEvent: completed } = details;
  if (requested === null && completed === null) return 'not within the trace';
  if (completed === null) return `requested at event ${countText(requested ?? 0)}, pending at the end of the trace`;
  if (requested === null || completed - requested <= 1) return `event ${countText(completed)}`;
  return `requested at event ${countText(requested)}, completed at event ${countText(completed)}`;
}
