import { bytesText } from '../../base/bytes';
import { LatestRequest } from '../../base/latest-request';
import { countedText, countText } from '../../base/numbers';
import { relativeTimeText } from '../../base/time';
import { locationText } from '../../model/frames';
import type { SnapshotLinks } from '../../model/snapshot-links';
import { button, type Child, element, fill } from '../display/element';
import { inPageLink } from './in-page-link';
import { Problem } from '../display/problem';
import type { EventDetails, SnapshotClient } from './snapshot-client';

export interface EventActions {
  /** Moves the cursor to the previous or the next event. */
  step(by: -1 | 1): void;
  selectAllocation(row: number): void;
  /** Removes the cursor. */
  clear(): void;
}

/** The line below the toolbar that describes the event under the cursor. */
export class EventBar {
  readonly root = element('div', { class: 'view-event', hidden: '' });
  /** Time of the first event on the trace's clock. */
  firstTimeMicros = NaN;
  private readonly text = element('p', { role: 'status' });
  private readonly previous: HTMLButtonElement;
  private readonly next: HTMLButtonElement;
  private readonly requests: LatestRequest<number, EventDetails>;
  private shown: number | null = null;

  constructor(
    client: SnapshotClient,
    private readonly links: SnapshotLinks,
    private readonly actions: EventActions,
  ) {
    this.previous = button('‹', 'Previous event (,)', () => actions.step(-1));
    this.next = button('›', 'Next event (.)', () => actions.step(1));
    this.root.append(this.previous, this.next, this.text, button('✕', 'Remove the cursor (Esc)', actions.clear));
    this.requests = new LatestRequest(
      (event, signal) => client.event(event, signal),
      (event, details) => {
        if (event === this.shown) fill(this.text, ...this.describe(details));
      },
      (event, error) => {
        if (event === this.shown) this.text.append(` ${Problem.of(error).detail ?? Problem.of(error).title}`);
      },
      () => false,
    );
  }

  /** Shows `event` of `count`, or nothing. */
  show(event: number | null, count: number): void {
    if (event === this.shown) return;
    this.shown = event;
    this.root.hidden = event === null;
    if (event === null) return;
    this.previous.disabled = event === 0;
    this.next.disabled = event === count - 1;
    fill(this.text, element('b', {}, `Event ${countText(event)}`), ` of ${countedText(count, 'event')}`);
    this.requests.request(event);
  }

  private describe(details: EventDetails): Child[] {
    const { address, allocation, failure, site, timeMicros } = details;
    const time = timeMicros === undefined ? NaN : timeMicros - this.firstTimeMicros;
    const parts: Child[][] = [
      [element('b', {}, `Event ${countText(details.event)}`), Number.isNaN(time) ? null : ` ${relativeTimeText(time)}`],
      [details.text, ...(address === undefined ? [] : [' at ', this.address(address, details.segment)])],
      site === undefined ? ['no stack recorded'] : [this.site(details, site.name, locationText(site))],
      allocation === undefined
        ? []
        : [
            inPageLink(this.links.allocation(allocation), 'show allocation', () =>
              this.actions.selectAllocation(allocation),
            ),
          ],
      failure === undefined ? [] : [element('a', { href: this.links.failure(failure) }, 'why it failed')],
      [`then ${bytesText(details.activeBytes)} active`],
      details.reservedBytes === undefined ? [] : [`${bytesText(details.reservedBytes)} reserved`],
      this.elsewhere(details.event),
    ];
    return parts
      .filter((part) => part.length > 0)
      .flatMap((part, index) => [index === 0 ? null : ' · ', ...part])
      .filter((child) => child !== null);
  }

  /** The other pages that show the event. */
  private elsewhere(event: number): Child[] {
    const pages: readonly (readonly [href: string, text: string])[] = [
      [this.links.event(event), 'timeline'],
      [this.links.listedEvent(event), 'list'],
      [this.links.state(event), 'segments'],
    ];
    return pages
      .filter(([href]) => !location.pathname.endsWith(new URL(href, location.href).pathname))
      .flatMap(([href, text], index) => [index === 0 ? 'also in ' : ', ', element('a', { href }, text)]);
  }

  private address(address: string, segment: string | undefined): HTMLElement {
    return segment === undefined
      ? element('code', { title: 'In no memory of the allocator at the end of the recording' }, address)
      : element('a', { href: this.links.block(address), title: 'In the memory map' }, element('code', {}, address));
  }

  private site(details: EventDetails, name: string, location: string): HTMLElement {
    const text = `${name}${location === '' ? '' : ` ${location}`}`;
    return details.isAllocationSite && details.stack !== undefined
      ? element('a', { href: this.links.site(details.stack) }, text)
      : element('span', {}, text);
  }
}
