import { bytesText } from '../../base/bytes';
import { countText } from '../../base/numbers';
import type { SnapshotLinks } from '../../model/snapshot-links';
import { button, type Child, element, fill } from '../display/element';
import { inPageLink } from '../snapshot/in-page-link';
import type { AllocationDetails, SnapshotClient } from '../snapshot/snapshot-client';

export interface SelectedEventsActions {
  /** The events are known, or there are none any more. */
  changed(): void;
  showEvent(event: number): void;
}

/** The allocation that is selected on all pages, on the event list: its events are marked, and named in a line. */
export class SelectedEvents {
  readonly root = element('div', { class: 'view-selected', hidden: '' });
  readonly events = new Set<number>();
  row: number | null = null;

  constructor(
    private readonly client: SnapshotClient,
    private readonly links: SnapshotLinks,
    private readonly actions: SelectedEventsActions,
  ) {}

  /** Marks the events of an allocation; null: none. */
  select(row: number | null): void {
    this.row = row;
    this.events.clear();
    this.root.hidden = true;
    if (row === null) this.actions.changed();
    else void this.load(row);
  }

  private async load(row: number): Promise<void> {
    try {
      const details = await this.client.allocation(row, new AbortController().signal);
      if (row !== this.row) return;
      for (const event of [details.allocationEvent, details.freeRequestedEvent, details.freeCompletedEvent]) {
        if (event !== null) this.events.add(event);
      }
      this.describe(details);
    } catch {
      // The list is complete without the marks.
    }
    this.actions.changed();
  }

  private describe(details: AllocationDetails): void {
    const size = bytesText(details.requestedBytes ?? details.allocatedBytes ?? NaN);
    const freed = details.freeCompletedEvent ?? details.freeRequestedEvent;
    fill(
      this.root,
      element(
        'p',
        {},
        'Selected: ',
        element(
          'a',
          { href: this.links.allocation(details.row) },
          details.address === null ? size : `${size} at ${details.address}`,
        ),
        ...this.moment('allocated at ', details.allocationEvent, 'allocated before the first event'),
        ...this.moment('freed at ', freed, 'not freed within the trace'),
      ),
      button('✕', 'Unselect the allocation', () => this.select(null)),
    );
    this.root.hidden = false;
  }

  private moment(words: string, event: number | null, unknown: string): Child[] {
    if (event === null) return [' · ', unknown];
    const href = this.links.listedEvent(event);
    return [' · ', words, inPageLink(href, `event ${countText(event)}`, () => this.actions.showEvent(event))];
  }
}
