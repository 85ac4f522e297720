import { LatestRequest } from '../../base/latest-request';
import { type MarkedRange, readMark, writeMark } from '../../model/marked-range';
import { fill } from '../display/element';
import { documentOf, fetchHtml } from '../display/html';
import { Problem, problemBox } from '../display/problem';
import { updateContent } from '../display/update-content';

const HASH = '#range';

export interface RangeTableActions {
  /** Marks the range that the user enters; returns false if it is none. */
  mark(text: string): boolean;
  /** Replaces the parameters of the page's URL. */
  replace(query: string): void;
}

/**
 * The table of what the marked events allocate and free, by site: a part of the timeline's page that the server renders
 * from the page's URL. On other pages it is opened by going to the timeline.
 */
export class RangeTable {
  private readonly section = document.getElementById('range');
  private readonly requests: LatestRequest<string, HTMLElement>;
  private shown = selectionIn(location.search);
  /** The mark whose table the user waits for. */
  private awaited: string | null = null;

  constructor(
    private readonly page: string,
    private readonly actions: RangeTableActions,
  ) {
    this.requests = new LatestRequest(
      (url, signal) => sectionAt(url, signal),
      (_url, fresh) => this.show(fresh),
      (_url, error) => this.fail(error),
      () => false,
    );
    this.section?.addEventListener('submit', (event) => {
      event.preventDefault();
      this.enter(event.target as HTMLFormElement);
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
      location.assign(`${this.page}/timeline?${withParameter(query, 'range', range)}${HASH}`);
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
    if (rangeIn(wanted) !== this.awaited) this.awaited = null;
    this.load();
  }

  private load(): void {
    this.section?.setAttribute('aria-busy', 'true');
    this.requests.request(location.pathname + location.search);
  }

  private show(fresh: HTMLElement): void {
    const { section } = this;
    if (section === null) return;
    section.removeAttribute('aria-busy');
    updateContent(section, fresh);
    this.reveal();
  }

  /** The form stays; the table would be that of another range. */
  private fail(error: unknown): void {
    const { section } = this;
    if (section === null) return;
    section.removeAttribute('aria-busy');
    const kept = section.querySelectorAll(':scope > header, :scope > form');
    fill(
      section,
      ...kept,
      problemBox(Problem.of(error), () => this.load()),
    );
  }

  /** Scrolls to the awaited table if it is there. */
  private reveal(): void {
    if (this.awaited === null || rangeIn(this.shown) !== this.awaited) return;
    if (this.section?.hasAttribute('aria-busy')) return;
    this.awaited = null;
    if (location.hash !== HASH) history.pushState(history.state, '', HASH);
    this.section?.scrollIntoView();
  }

  private enter(form: HTMLFormElement): void {
    const { range } = form.elements as unknown as Readonly<Record<'range', HTMLInputElement>>;
    if (!this.actions.mark(range.value)) {
      // The server says what is wrong with a range that does not exist.
      location.assign(`?${withParameter(location.search, 'range', range.value)}${HASH}`);
      return;
    }
    // It is no longer an entry that is to be kept when the table arrives.
    range.defaultValue = range.value;
    form.reset();
  }

  /** Another order of the table is no other page: the chart stays as it is. */
  private sort(event: MouseEvent): void {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-by]');
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.actions.replace(withParameter(location.search, 'by', link.dataset['by'] ?? ''));
  }
}

/** The section as the server renders it for a URL. */
async function sectionAt(url: string, signal: AbortSignal): Promise<HTMLElement> {
  const response = await fetchHtml(url, { signal }).catch((error: unknown) => {
    throw signal.aborted ? error : Problem.ofNetwork();
  });
  const page = await documentOf(response);
  const section = page.getElementById('range');
  if (section === null) throw Problem.read(response.status, '');
  return section;
}

function withParameter(query: string, name: string, value: string): string {
  const parameters = new URLSearchParams(query);
  parameters.set(name, value);
  return parameters.toString();
}

function rangeIn(selection: string | null): string | null {
  return new URLSearchParams(selection ?? '').get('range');
}

/** What the section shows at this URL: the marked events and the order. */
function selectionIn(query: string): string | null {
  const parameters = new URLSearchParams(query);
  const range = readMark(parameters.get('range'), Infinity);
  if (range === null) return null;
  return new URLSearchParams({ range: writeMark(range) ?? '', by: parameters.get('by') ?? '' }).toString();
}
