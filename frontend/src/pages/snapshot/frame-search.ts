import { bytesText } from '../../base/bytes';
import { LatestRequest } from '../../base/latest-request';
import { countedText, countText } from '../../base/numbers';
import { faded, type SearchHits } from '../../model/search-hits';
import { element } from '../display/element';
import { Problem } from '../display/problem';
import type { SnapshotClient } from './snapshot-client';

/** The server refuses longer texts. */
const MAX_TEXT = 500;

interface Query {
  readonly text: string;
  readonly event: number | null;
}

/** The search of a chart: the allocations with the text in their stack keep their colours, all others fade. */
export class FrameSearch {
  readonly root: HTMLElement;
  private readonly field = element('input', {
    type: 'search',
    name: 'text',
    'data-filter': '',
    maxlength: String(MAX_TEXT),
    placeholder: 'Search all frames',
    'aria-label': 'Words in a function, its file, or file:line, in any frame of a stack',
    title: "Words in a function's name, its file, or file:line, in any frame of the stack (/)",
  });
  private readonly result = element('p', { role: 'status' });
  private readonly requests: LatestRequest<Query, SearchHits>;
  private hits: SearchHits | null = null;
  private event: number | null = null;
  private asked = '';
  private drawn: { chart: object; hits: SearchHits | null; faded: object } | null = null;

  /** `changed` is called after each change of the text and of what is found. */
  constructor(
    client: SnapshotClient,
    private readonly changed: () => void,
  ) {
    this.root = element('div', { class: 'view-search', role: 'search' }, this.field, this.result);
    this.requests = new LatestRequest(
      ({ text, event }, signal) => client.search(text, event, signal),
      (query, hits) => this.received(query, hits),
      (_query, error) => (this.result.textContent = Problem.of(error).detail ?? Problem.of(error).title),
      // The answer to an outdated text is not awaited.
      () => false,
    );
    this.field.addEventListener('input', () => {
      this.search();
      this.changed();
    });
    this.field.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && this.field.value === '') this.field.blur();
    });
  }

  /** The text, or null without a search. */
  get text(): string | null {
    const text = this.field.value.trim();
    return text === '' ? null : text;
  }

  /** Takes over what the page's URL says. */
  restore(text: string | null): void {
    this.field.value = (text ?? '').slice(0, MAX_TEXT);
    this.search();
  }

  /** Sums what is found at the cursor, too. */
  showEvent(event: number | null): void {
    if (event === this.event) return;
    this.event = event;
    this.search();
  }

  /** The chart as it is to be drawn. */
  marked<Chart extends { readonly stack: Int32Array }>(chart: Chart): Chart {
    if (this.drawn?.chart !== chart || this.drawn.hits !== this.hits) {
      this.drawn = { chart, hits: this.hits, faded: faded(chart, this.hits) };
    }
    return this.drawn.faded as Chart;
  }

  private search(): void {
    const { text, event } = this;
    const asked = text === null ? '' : `${event ?? ''} ${text}`;
    if (asked === this.asked) return;
    this.asked = asked;
    if (text !== null) {
      this.requests.request({ text, event });
      return;
    }
    this.hits = null;
    this.result.textContent = '';
    this.changed();
  }

  private received({ text, event }: Query, hits: SearchHits): void {
    if (text !== this.text) return;
    this.hits = hits;
    const sums = [
      countedText(hits.allocationCount, 'allocation'),
      `${bytesText(hits.peakBytes)} at the peak`,
      event === null
        ? `${bytesText(hits.endBytes)} at the end`
        : `${bytesText(hits.eventBytes)} after event ${countText(event)}`,
    ];
    this.result.textContent = hits.frameCount === 0 ? 'No frame has this text.' : sums.join(' · ');
    this.changed();
  }
}
