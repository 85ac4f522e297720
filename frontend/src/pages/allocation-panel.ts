import { bytesText, exactBytesText } from '../base/bytes';
import { countText } from '../base/numbers';
import { durationText, momentText } from '../base/time';
import { button, element, facts, fill } from './element';
import { Problem, problemBox } from './problem';
import type { AllocationFacts, Server } from './server';
import { siteLine } from './site-line';
import { stackList } from './stack-list';

/** A hand that only passes over an allocation asks the server nothing. */
const PAUSE_MILLIS = 60;
const REMEMBERED = 500;

/** The side panel: what is known of the allocation under the pointer, or of the pinned one. */
export class AllocationPanel {
  readonly root = element('aside', { class: 'view-side', 'aria-label': 'Selected allocation' });
  private readonly known = new Map<number, AllocationFacts>();
  /** When the trace began, on its clock; moments are told from there. */
  firstTimeMicros = NaN;
  private shown: number | null = null;
  private pinned = false;
  private timer = 0;
  private abort = new AbortController();

  constructor(
    private readonly server: Server,
    private readonly actions: { unpin: () => void; showLife: (allocation: AllocationFacts) => void },
  ) {
    this.clear();
  }

  clear(): void {
    this.forget();
    this.root.replaceChildren(
      element(
        'p',
        { class: 'view-hint' },
        'Point at a rectangle to see who allocated it, click to pin it. Scroll zooms, dragging moves, shift-drag zooms into a range.',
      ),
    );
  }

  /** Words instead of an allocation: the band of small ones, or cached memory. */
  say(title: string, text: string): void {
    this.forget();
    this.root.replaceChildren(element('h3', {}, title), element('p', {}, text));
  }

  /** Shows row `allocation`; what is not known yet comes as soon as the server has told it. */
  show(allocation: number, pinned: boolean): void {
    this.pinned = pinned;
    const known = this.known.get(allocation);
    if (known !== undefined) {
      this.forget();
      this.shown = allocation;
      this.render(known);
      return;
    }
    if (this.shown === allocation) return;
    this.forget();
    this.shown = allocation;
    this.root.classList.add('is-loading');
    this.timer = window.setTimeout(() => void this.load(allocation), pinned ? 0 : PAUSE_MILLIS);
  }

  private forget(): void {
    window.clearTimeout(this.timer);
    this.abort.abort();
    this.abort = new AbortController();
    this.shown = null;
    this.root.classList.remove('is-loading');
  }

  private async load(allocation: number): Promise<void> {
    const { signal } = this.abort;
    try {
      const told = await this.server.allocation(allocation, signal);
      if (signal.aborted) return;
      if (this.known.size >= REMEMBERED) this.known.clear();
      this.known.set(allocation, told);
      this.root.classList.remove('is-loading');
      this.render(told);
    } catch (error) {
      if (signal.aborted) return;
      this.root.classList.remove('is-loading');
      const retry = () => void this.load(allocation);
      this.root.replaceChildren(problemBox(Problem.of(error), retry));
    }
  }

  private render(told: AllocationFacts): void {
    fill(
      this.root,
      element(
        'div',
        { class: 'view-side-head' },
        element('h3', {}, bytesText(told.requestedBytes ?? told.allocatedBytes ?? NaN)),
        this.pinned ? button('Unpin', 'Unpin this allocation (Esc)', this.actions.unpin) : null,
      ),
      siteLine(told.site),
      facts([
        ['Requested', exactBytesText(told.requestedBytes ?? NaN)],
        ['Block', told.allocatedBytes === null ? null : exactBytesText(told.allocatedBytes)],
        ['Address', element('code', {}, told.address)],
        ['Born', born(told, this.firstTimeMicros)],
        ['Freed', freed(told)],
        ['Lived', told.lifeMicros === null ? null : durationText(told.lifeMicros)],
        ['Stream', String(told.stream)],
        ['Pool', told.pool],
        ['Category', told.category],
        ['Compiled', told.compileContext],
        ['Metadata', told.userMetadata],
      ]),
      this.pinned
        ? button('Show its whole life', 'Zoom to the life of this allocation', () => this.actions.showLife(told))
        : null,
      stackList(told.frames),
    );
  }
}

function born(told: AllocationFacts, firstTimeMicros: number): string {
  if (told.allocationEvent === null) return 'before the first event';
  const moment = told.allocationMicros === null ? NaN : told.allocationMicros - firstTimeMicros;
  return `event ${countText(told.allocationEvent)}${Number.isNaN(moment) ? '' : ` (${momentText(moment)})`}`;
}

function freed(told: AllocationFacts): string {
  const { freeRequestedEvent: requested, freeCompletedEvent: completed } = told;
  if (requested === null && completed === null) return 'not within the trace';
  if (completed === null) return `asked at event ${countText(requested ?? 0)}, still waiting for a stream at the end`;
  if (requested === null || completed - requested <= 1) return `event ${countText(completed)}`;
  return `asked at event ${countText(requested)}, done at ${countText(completed)}`;
}
