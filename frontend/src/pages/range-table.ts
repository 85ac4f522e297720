import { type MarkedRange, readMark, writeMark } from '../model/marked-range';
import { element } from './element';
import { documentOf, fetchHtml } from './html';
import { writeUrl } from './page-url';

const HASH = '#range';

/**
 * The table of what the marked events allocate and free, by site: a part of the timeline's page that the server renders
 * from the page's URL. On other pages it is opened by going to the timeline.
 */
export class RangeTable {
  private readonly section = document.getElementById('range');
  private request = new AbortController();
  private shown = selectionIn(location.search);
  /** The mark whose table the user waits for. */
  private awaited: string | null = null;

  /** `mark` is called with the range that the user enters in the section's form; it returns false if that is none. */
  constructor(
    private readonly page: string,
    mark: (text: string) => boolean,
  ) {
    this.section?.addEventListener('submit', (event) => {
      const text = this.section?.querySelector<HTMLInputElement>('input[name=range]')?.value ?? '';
      // The server says what is wrong with a range that does not exist.
      if (mark(text)) event.preventDefault();
    });
    this.section?.addEventListener('click', (event) => this.sort(event));
  }

  /** Scrolls to the table that a link to it leads to: the chart has its height only now. */
  arrive(): void {
    if (location.hash === HASH) this.section?.scrollIntoView();
  }

  /** Moves to the table of the marked events. Back returns to the chart. */
  open(mark: MarkedRange, query: string): void {
    const range = writeMark(mark) ?? '';
    if (this.section === null) {
      const parameters = new URLSearchParams(query);
      parameters.set('range', range);
      location.assign(`${this.page}/timeline?${parameters}${HASH}`);
      return;
    }
    this.awaited = range;
    this.reveal();
  }

  /** Shows the table of the range in the page's URL; called whenever that has changed. */
  follow(): void {
    const wanted = selectionIn(location.search);
    if (this.section === null || wanted === this.shown) return;
    this.shown = wanted;
    this.request.abort();
    this.request = new AbortController();
    void this.load(this.section, this.request.signal);
  }

  private async load(section: HTMLElement, signal: AbortSignal): Promise<void> {
    section.setAttribute('aria-busy', 'true');
    try {
      const response = await fetchHtml(location.pathname + location.search, { signal });
      const fresh = (await documentOf(response)).getElementById('range');
      if (fresh === null) throw new Error(`The server responded with status ${response.status}.`);
      if (signal.aborted) return;
      section.replaceChildren(...fresh.childNodes);
      section.removeAttribute('aria-busy');
      this.reveal();
    } catch (error) {
      if (signal.aborted) return;
      this.shown = null;
      section.removeAttribute('aria-busy');
      const reason = error instanceof Error ? error.message : String(error);
      section.replaceChildren(
        element(
          'p',
          { class: 'notice warning', role: 'status' },
          `The sites of the range could not be loaded: ${reason}`,
        ),
      );
    }
  }

  /** Scrolls to the awaited table if it is there. */
  private reveal(): void {
    if (this.awaited === null || new URLSearchParams(this.shown ?? '').get('range') !== this.awaited) return;
    if (this.section?.hasAttribute('aria-busy')) return;
    this.awaited = null;
    if (location.hash === HASH) this.section?.scrollIntoView();
    else location.hash = HASH;
  }

  /** Another order of the table is no other page: the chart stays as it is. */
  private sort(event: MouseEvent): void {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-by]');
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const parameters = new URLSearchParams(location.search);
    parameters.set('by', link.dataset['by'] ?? '');
    writeUrl(parameters.toString(), false);
    this.follow();
  }
}

/** What the section shows at this URL: the marked events and the order. */
function selectionIn(query: string): string | null {
  const parameters = new URLSearchParams(query);
  const range = readMark(parameters.get('range'), Infinity);
  if (range === null) return null;
  return new URLSearchParams({ range: writeMark(range) ?? '', by: parameters.get('by') ?? '' }).toString();
}
