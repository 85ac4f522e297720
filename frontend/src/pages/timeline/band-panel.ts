import { intAt } from '../../base/at';
import { bytesText } from '../../base/bytes';
import { LatestRequest } from '../../base/latest-request';
import { countedText } from '../../base/numbers';
import { locationText } from '../../model/frames';
import type { Hit } from '../../model/hit-testing';
import type { Timeline } from '../../model/timeline';
import type { AllocationPanel } from './allocation-panel';
import { element } from '../display/element';
import type { SmallAllocations, SnapshotClient } from '../snapshot/snapshot-client';
import { bandText } from './timeline-text';

/** The time from one question to the next while the pointer moves. */
const INTERVAL_MILLIS = 150;

/** Shows what is at a point that is no single allocation; of the small ones, which sites have the most. */
export class BandPanel {
  private isRest = false;
  private readonly requests: LatestRequest<{ event: number; below: number }, SmallAllocations>;

  constructor(
    client: SnapshotClient,
    private readonly panel: AllocationPanel,
  ) {
    this.requests = new LatestRequest(
      (query, signal) => client.smallAllocations(query.event, query.below, signal),
      (_query, rest) => this.isRest && this.panel.addToText(listOf(rest)),
      // The text above the list is complete without it.
      () => undefined,
      () => true,
      INTERVAL_MILLIS,
    );
  }

  show(hit: Hit & { kind: 'rest' | 'inactive' }, timeline: Timeline): void {
    this.isRest = hit.kind === 'rest' && hit.bytes > 0;
    this.panel.showText(bytesText(hit.bytes), bandText(hit.kind, timeline), this.isRest);
    if (this.isRest) this.requests.request({ event: intAt(timeline.event, hit.column), below: timeline.leastBytes });
  }
}

function listOf({ sites, count, otherSiteCount }: SmallAllocations): HTMLElement {
  const rows = sites.map(({ site, bytes, count: ofSite }) =>
    element(
      'li',
      {},
      element('b', {}, bytesText(bytes)),
      ` ${site === null ? 'without a stack' : site.name} `,
      element(
        'span',
        { class: 'muted' },
        `${site === null ? '' : `${locationText(site)} · `}${countedText(ofSite, 'allocation')}`,
      ),
    ),
  );
  if (otherSiteCount > 0) rows.push(element('li', { class: 'muted' }, countedText(otherSiteCount, 'other site')));
  return element(
    'div',
    { class: 'rest-sites' },
    element('p', {}, `${countedText(count, 'allocation')} here, by site:`),
    element('ol', {}, ...rows),
  );
}
