import { bytesText } from '../base/bytes';
import { addressText, countedText, countText } from '../base/numbers';
import type { Change } from '../model/live-changes';
import { LiveCurve } from '../model/live-curve';
import type { RawFrame } from '../model/live-frame';
import { LiveLog } from '../model/live-log';
import { type LiveMap, liveMapOf } from '../model/live-map';
import { FrameOrderError, LiveState } from '../model/live-state';
import { blockAt, STATE_NAMES } from '../model/memory-map';
import { LiveCurvePainter } from '../render/live-curve-painter';
import { type Palette, readPalette } from '../render/palette';
import { buildLiveElements, CurveLegend, type LiveElements, LiveLegend, liveSummary } from './live-elements';
import { LiveBlockPanel } from './live-block-panel';
import { LiveLogList } from './live-log-list';
import { LiveMapView } from './live-map-view';
import { FeedRate } from './live-rate';
import { LiveStream, type StreamStatus } from './live-stream';
import { element } from './element';
import { announceEnd } from './in-place';
import { problemBox } from './problem';
import { onThemeChange } from './theme';
import { setMessage, setState } from './view-state';

/** The live view of an allocator: curves, map and events. */
class LivePage {
  private readonly elements: LiveElements;
  private readonly panel: LiveBlockPanel;
  private readonly curvePainter: LiveCurvePainter;
  private readonly map: LiveMapView;
  private readonly legend: LiveLegend;
  private readonly curveLegend = new CurveLegend();
  private readonly list: LiveLogList;
  private readonly stream: LiveStream;
  private readonly state = new LiveState();
  private readonly curve = new LiveCurve();
  private readonly log = new LiveLog();
  private readonly rate = new FeedRate();
  private readonly reducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
  private palette: Palette;
  private live: LiveMap | null = null;
  private frozen = false;
  private isStale = false;
  /** When the last frame arrived, on the page's clock. Between frames the curves scroll by that clock. */
  private frameMillis = 0;
  /** Maximum of the curves' byte axis. */
  private high = 1;
  private animationFrame = 0;
  private connected = false;
  private status: StreamStatus = { kind: 'connecting' };

  constructor(private readonly root: HTMLElement) {
    this.panel = new LiveBlockPanel(() => this.map.pin(null));
    this.elements = buildLiveElements(root, this.panel.root, this.curveLegend.root, {
      freeze: () => this.freeze(!this.frozen),
      zoomIn: () => this.map.zoom(0.5),
      zoomOut: () => this.map.zoom(2),
      fit: () => this.map.fit(),
      pauseLog: () => this.pauseLog(),
      filter: (filter) => this.list.show(filter),
    });
    this.palette = readPalette(root);
    this.legend = new LiveLegend(this.elements.legend, !this.reducedMotion);
    this.legend.paint(this.palette);
    this.list = new LiveLogList(this.elements.log, this.log);
    this.curvePainter = new LiveCurvePainter(this.elements.curves);
    this.curvePainter.fit();
    this.map = new LiveMapView(this.elements.map, {
      changed: () => this.requestPaint(),
      selectionChanged: () => this.updatePanel(),
      freeze: () => this.freeze(!this.frozen),
    });
    this.listen();
    setState(root, 'loading');
    this.stream = new LiveStream(
      `${root.dataset['api'] ?? ''}/events`,
      (frame) => this.apply(frame),
      (status) => this.setStatus(status),
    );
  }

  private apply(frame: RawFrame): void {
    let changes: Change[];
    try {
      changes = this.state.apply(frame);
    } catch (error) {
      if (!(error instanceof FrameOrderError)) throw error;
      this.stream.restart();
      return;
    }
    this.frameMillis = performance.now();
    this.curve.apply(frame);
    this.log.apply(frame, this.state.sites);
    this.rate.add(frame, this.frameMillis);
    this.isStale = true;
    if (!this.frozen && !this.reducedMotion) this.map.flash(changes);
    this.root.dataset['version'] = String(this.state.version);
    setState(this.root, 'ready');
    this.list.scheduleUpdate();
    this.requestPaint();
  }

  /** Paints in the next animation frame and, while the view is animated, in every following one. */
  private requestPaint(): void {
    if (this.animationFrame !== 0) return;
    this.animationFrame = requestAnimationFrame(() => {
      this.animationFrame = 0;
      this.paint();
      if (!this.frozen && !this.reducedMotion && this.connected) this.requestPaint();
    });
  }

  private paint(): void {
    if (this.state.version === 0) return;
    if (this.isStale && !this.frozen) {
      this.isStale = false;
      this.live = liveMapOf(this.state);
      this.map.show(this.live, this.palette);
      this.legend.update(this.live);
      this.curveLegend.update(this.state.levels);
      this.updateEmptyHint();
      this.updatePanel();
      this.updateCounts();
    }
    if (this.live === null) return;
    this.map.paint(this.palette);
    if (this.frozen) return;
    // The axis maximum rises immediately and falls slowly, so that the curves do not jump.
    const target = Math.max(1, this.curve.peak() * 1.12);
    this.high = target > this.high ? target : Math.max(target, this.high * 0.98);
    const elapsed = this.reducedMotion || !this.connected ? 0 : performance.now() - this.frameMillis;
    this.curvePainter.paint({
      palette: this.palette,
      points: this.curve.points,
      now: this.state.now + elapsed,
      high: this.high,
      failures: this.log.failures,
    });
  }

  /** Updates the side panel and the status line from the pinned or hovered block. */
  private updatePanel(): void {
    const { live, map } = this;
    if (live === null) return;
    const { pinned, hovered } = map;
    const block = pinned === null ? hovered : blockAt(live.map, pinned);
    if (block !== null) this.panel.show(live, this.state.sites, block, pinned !== null);
    else if (pinned !== null) this.panel.showReleased(pinned);
    else this.panel.clear();
    this.elements.status.textContent =
      hovered === null || live.map.blockBytes[hovered] === undefined
        ? `${bytesText(this.state.levels.reserved)} reserved of ${bytesText(this.state.deviceTotal)} · ${bytesText(map.bytesPerLine)} per line`
        : `${addressText(live.map.blockAddress[hovered])} · ${bytesText(live.map.blockBytes[hovered])} · ${STATE_NAMES[live.map.state[hovered]]}`;
  }

  /** Shows a hint instead of empty curves while nothing has been reserved. */
  private updateEmptyHint(): void {
    const isEmpty = this.state.levels.reserved === 0 && this.curve.peak() === 0;
    const { empty, curves } = this.elements;
    empty.hidden = !isEmpty;
    curves.classList.toggle('is-empty', isEmpty);
  }

  private updateCounts(): void {
    const { counts } = this.state;
    const parts = [
      `${countText(this.rate.eventsPerSecond)} events/s · ${countText(this.rate.framesPerSecond)} frames/s`,
      counts.shortLived > 0 ? `${countedText(counts.shortLived, 'block')} allocated and freed between frames` : '',
      counts.dropped > 0
        ? `${countedText(counts.dropped, 'event')} dropped, state reloaded ${countedText(counts.gaps, 'time')}`
        : '',
    ];
    const line = parts.filter((part) => part !== '').join(' · ');
    if (this.elements.counts.textContent !== line) {
      this.elements.counts.textContent = line;
      this.elements.counts.title = line;
    }
    if (this.live !== null) this.elements.summary.textContent = liveSummary(this.state, this.live);
  }

  private setStatus(status: StreamStatus): void {
    this.connected = status.kind === 'live';
    this.status = status;
    this.updateStatus();
    const { message } = this.elements;
    if (status.kind === 'disconnected' && !status.problem.isTransient) {
      setMessage(
        message,
        problemBox(status.problem, () => this.stream.restart()),
      );
    } else if (status.kind === 'ended') {
      const list = element('a', { class: 'button', href: '/live' }, 'All live allocators');
      const text = element('p', {}, `${status.reason} This is the last state received.`);
      setMessage(message, element('div', { class: 'empty-state live-ended', role: 'alert' }, text, list));
      announceEnd(status.reason);
    } else setMessage(message, null);
    this.requestPaint();
  }

  /** A frozen view is not shown as live, even while connected. */
  private updateStatus(): void {
    const { connection } = this.elements;
    const frozen = this.frozen && this.status.kind === 'live';
    connection.dataset['kind'] = frozen ? 'frozen' : this.status.kind;
    connection.textContent = frozen ? '❚❚ frozen' : statusText(this.status);
  }

  private freeze(frozen: boolean): void {
    this.frozen = frozen;
    this.updateStatus();
    this.elements.freeze.textContent = frozen ? 'Resume' : 'Freeze';
    this.elements.freeze.setAttribute('aria-pressed', String(frozen));
    this.requestPaint();
  }

  private pauseLog(): void {
    this.list.pause(!this.list.isPaused);
    this.elements.pauseLog.textContent = this.list.isPaused ? 'Resume' : 'Pause';
    this.elements.pauseLog.setAttribute('aria-pressed', String(this.list.isPaused));
  }

  private listen(): void {
    onThemeChange(() => {
      this.palette = readPalette(this.root);
      this.legend.paint(this.palette);
      this.isStale = true;
      this.requestPaint();
    });
    new ResizeObserver(() => {
      const curvesChanged = this.curvePainter.fit();
      if (this.map.resize() || curvesChanged) this.requestPaint();
    }).observe(this.elements.map);
  }
}

function statusText(status: StreamStatus): string {
  switch (status.kind) {
    case 'connecting':
      return '◌ connecting';
    case 'live':
      return '● live';
    case 'hidden':
      return '❚❚ paused: tab hidden';
    case 'disconnected':
      return `✕ ${status.problem.title} Retry in ${Math.ceil(status.retryMillis / 1000)} s`;
    case 'ended':
      return '■ ended';
  }
}

export function mountLive(root: HTMLElement): void {
  new LivePage(root);
}
