import { bytesText } from '../../base/bytes';
import { countedText, countText } from '../../base/numbers';
import { peakOf } from '../../model/live/live-curve';
import type { LiveView } from '../../model/live/live-view';
import { type CurveLegend, type LiveElements, type LiveLegend, liveSummary } from './live-elements';
import type { LiveLedger } from './live-ledger';
import type { FeedRate } from './live-rate';

/** The numbers on the page of a live allocator; all are updated together, from one frame. */
export class LiveNumbers {
  /** The reserved bytes of the frame and the size of the device; empty before the first frame. */
  reservedText = '';

  constructor(
    private readonly elements: LiveElements,
    private readonly curveLegend: CurveLegend,
    private readonly legend: LiveLegend,
    private readonly ledger: LiveLedger,
  ) {}

  update(view: LiveView, rate: FeedRate): void {
    this.reservedText = `${bytesText(view.levels.reserved)} reserved of ${bytesText(view.deviceTotal)}`;
    this.curveLegend.update(view.levels);
    this.legend.update(view);
    this.ledger.update(view);
    this.updateEmptyHint(view);
    this.updateCounts(view, rate);
    this.elements.summary.textContent = liveSummary(view);
  }

  /** Shows a hint instead of empty curves while nothing has been reserved. */
  private updateEmptyHint({ levels, points }: LiveView): void {
    const isEmpty = levels.reserved === 0 && peakOf(points) === 0;
    const { empty, curves } = this.elements;
    empty.hidden = !isEmpty;
    curves.classList.toggle('is-empty', isEmpty);
  }

  private updateCounts({ counts }: LiveView, rate: FeedRate): void {
    const parts = [
      `${countText(rate.eventsPerSecond)} events/s · ${countText(rate.framesPerSecond)} frames/s`,
      counts.shortLived > 0 ? `${countedText(counts.shortLived, 'block')} allocated and freed between frames` : '',
      counts.dropped > 0
        ? `${countedText(counts.dropped, 'event')} dropped, state reloaded ${countedText(counts.gaps, 'time')}`
        : '',
    ];
    const line = parts.filter((part) => part !== '').join(' · ');
    if (this.elements.counts.textContent === line) return;
    this.elements.counts.textContent = line;
    this.elements.counts.title = line;
  }
}
