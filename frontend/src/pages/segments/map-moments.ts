import { LatestRequest } from '../../base/latest-request';
import { completed } from '../../model/view-parameters';
import type { MapColour } from '../../model/colour-by';
import type { SnapshotMap } from '../../model/memory-map';
import type { SnapshotLinks } from '../../model/snapshot-links';
import { EventBar } from '../snapshot/event-bar';
import { EventListClient } from '../snapshot/event-list-client';
import { MomentBar } from './moment-bar';
import type { SnapshotClient } from '../snapshot/snapshot-client';

export interface MapMomentActions {
  /** The user has chosen a moment: after an event, or null for the end of the recording. */
  changed(event: number | null): void;
  /** Goes to a moment; Back returns. */
  jump(change: () => void): void;
  /** The user has chosen another kind of events to go to. */
  kindChanged(): void;
  /** What colours mean in the maps that are loaded. */
  colour(): MapColour;
  received(map: SnapshotMap): void;
  failed(error: unknown): void;
}

/** The moments of the memory map: their controls, and the maps that are loaded for them. */
export class MapMoments {
  private readonly bar: MomentBar | null;
  private readonly eventBar: EventBar;
  private readonly requests: LatestRequest<number | null, SnapshotMap>;
  private readonly eventCount: number;

  constructor(root: HTMLElement, client: SnapshotClient, links: SnapshotLinks, actions: MapMomentActions) {
    const { api = '', device = '0', count = '0' } = root.dataset;
    this.eventCount = Number(count);
    const events = new EventListClient(api, device);
    const show = (event: number | null) => {
      this.show(event);
      actions.changed(event);
    };
    this.bar =
      this.eventCount === 0
        ? null
        : new MomentBar(this.eventCount, events, {
            show,
            jump: (change) => actions.jump(change),
            kindChanged: () => actions.kindChanged(),
            failed: (error) => actions.failed(error),
          });
    this.eventBar = new EventBar(client, links, {
      step: (by) => this.step(by),
      selectAllocation: (row) => location.assign(completed(links.allocation(row), location.search)),
      clear: () => show(null),
    });
    this.requests = new LatestRequest(
      (event, signal) => client.memoryMap(event, actions.colour(), signal),
      (_event, map) => {
        this.bar?.shown();
        actions.received(map);
      },
      (_event, error) => actions.failed(error),
    );
  }

  /** The elements of the controls; none without events. */
  get elements(): readonly HTMLElement[] {
    return this.bar === null ? [] : [this.bar.root, this.eventBar.root];
  }

  /** Loads the map of a moment; returns the moment, which is the end if there is no such event. */
  show(event: number | null): number | null {
    const known = event !== null && event < this.eventCount ? event : null;
    this.bar?.set(known);
    this.eventBar.show(known, this.eventCount);
    this.requests.request(known);
    return known;
  }

  jumpTo(event: number): void {
    this.bar?.jumpTo(event);
  }

  /** Takes over the kind of events to go to from the URL. */
  restoreKind(query: string): void {
    if (this.bar !== null) this.bar.kindOfEvent = new URLSearchParams(query).get('step');
  }

  /** Writes the kind of events to go to into the parameters of the URL. */
  writeKind(parameters: URLSearchParams): void {
    const kind = this.bar?.kindOfEvent ?? null;
    if (kind === null) parameters.delete('step');
    else parameters.set('step', kind);
  }

  /** Goes to the next (1) or previous (-1) event of the chosen kind. */
  step(by: -1 | 1): void {
    this.bar?.step(by);
  }

  toFailure(): void {
    this.bar?.toFailure();
  }
}
