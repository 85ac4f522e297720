import { byteAt, wordAt } from '../../base/at';
import { bytesText } from '../../base/bytes';
import { addressText } from '../../base/numbers';
import type { Change } from '../../model/live/live-changes';
import { peakOf } from '../../model/live/live-curve';
import type { RawFrame } from '../../model/live/live-frame';
import { FrameOrderError } from '../../model/live/live-state';
import { type LiveView, LiveViews } from '../../model/live/live-view';
import { blockAt, STATE_NAMES } from '../../model/memory-map';
import { LiveCurvePainter } from '../../render/live-curve-painter';
import { type Palette, readPalette } from '../../render/palette';
import { buildLiveElements, CurveLegend, type LiveElements, LiveLegend } from './live-elements';
import { LiveBlockPanel } from './live-block-panel';
import { LiveLedger } from './live-ledger';
import { liveLink } from './live-link';
import { LiveLogList } from './live-log-list';
import { LiveMapView } from './live-map-view';
import { LiveNumbers } from './live-numbers';
import { FeedRate } from './live-rate';
import { LiveStream, type StreamStatus } from './live-stream';
import { element } from '../display/element';
import { announceEnd } from '../request/in-place';
import { updateUnlessPressed } from '../display/press';
import { problemBox } from '../display/problem';
import { onThemeChange } from '../display/theme';
import { setMessage, setState } from '../display/view-state';

/** Minimum time between updates of the numbers; faster ones cannot be read. */
const NUMBERS_MILLIS = 250;

/** The live view of an allocator: curves, map, numbers and events. */
class LivePage {
  private readonly elements: LiveElements;
  private readonly panel: LiveBlockPanel;
  private readonly curvePainter: LiveCurvePainter;
  private readonly map: LiveMapView;
  private readonly legend: LiveLegend;
  private readonly numbers: LiveNumbers;
  private readonly list: LiveLogList;
  private readonly stream: LiveStream;
  private readonly views = new LiveViews();
  private readonly rate = new FeedRate();
  private readonly reducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
  private palette: Palette;
  /** The view that the map shows. */
  private shown: LiveView | null = null;
  private numbersMillis = 0;
  private numbersTimer = 0;
  private mapChanged = false;
  private curvesChanged = false;
  /** When the last frame arrived, on the page's clock. Between frames the curves scroll by that clock. */
  private frameMillis = 0;
  /** Maximum of the curves' byte axis. */
  private high = 1;
  private animationFrame = 0;
  private status: StreamStatus = { kind: 'connecting' };

  constructor(private readonly root: HTMLElement) {
    this.panel = new LiveBlockPanel(() => this.map.pin(null));
    const curveLegend = new CurveLegend();
    this.elements = buildLiveElements(root, this.panel.root, curveLegend.root, {
      freeze: () => this.freeze(!this.views.isFrozen),
      zoomIn: () => this.map.zoom(0.5),
      zoomOut: () => this.map.zoom(2),
      fit: () => this.map.fit(),
      pauseLog: () => this.pauseLog(),
      filter: (filter) => this.list.show(filter),
    });
    this.palette = readPalette(root);
    this.legend = new LiveLegend(this.elements.legend, !this.reducedMotion);
    this.legend.paint(this.palette);
    this.numbers = new LiveNumbers(this.elements, curveLegend, this.legend, new LiveLedger(document));
    this.list = new LiveLogList(this.elements.log, this.views.log);
    this.curvePainter = new LiveCurvePainter(this.elements.curves);
    this.curvePainter.fit();
    this.map = new LiveMapView(this.elements.map, {
      changed: () => {
        this.mapChanged = true;
        this.requestPaint();
      },
      selectionChanged: () => this.updatePanel(),
      freeze: () => this.freeze(!this.views.isFrozen),
    });
    this.listen();
    setState(root, 'loading');
    this.stream = new LiveStream(
      root.dataset['allocator'] ?? '',
      liveLink(),
      {
        isHidden: () => document.hidden,
        onChange: (listener) => {
          document.addEventListener('visibilitychange', listener);
        },
      },
      (frame) => this.apply(frame),
      (status) => this.setStatus(status),
    );
    this.stream.start();
  }

  private apply(frame: RawFrame): void {
    let changes: Change[];
    try {
      changes = this.views.apply(frame);
    } catch (error) {
      if (!(error instanceof FrameOrderError)) throw error;
      this.stream.restart();
      return;
    }
    this.frameMillis = performance.now();
    this.rate.add(frame, this.frameMillis);
    if (!this.views.isFrozen && !this.reducedMotion) this.map.flash(changes);
    this.root.dataset['version'] = String(frame.v);
    setState(this.root, 'ready');
    this.list.scheduleUpdate();
    this.requestPaint();
  }

  /** Whether the curves move between frames. */
  private get isMoving(): boolean {
    return this.status.kind === 'live' && !this.views.isFrozen && !this.reducedMotion;
  }

  /** Paints in the next animation frame and, while something moves, in every following one. */
  private requestPaint(): void {
    if (this.animationFrame !== 0) return;
    this.animationFrame = requestAnimationFrame(() => {
      this.animationFrame = 0;
      this.paint();
      if (this.isMoving || this.map.isAnimated) this.requestPaint();
    });
  }

  /** Paints what has changed, each canvas at most once. */
  private paint(): void {
    const { view } = this.views;
    if (view === null) return;
    if (view !== this.shown) {
      this.shown = view;
      this.map.show(view.map);
      this.mapChanged = true;
      this.curvesChanged = true;
      this.updatePanel();
      this.scheduleNumbers();
    }
    if (this.mapChanged || this.map.isAnimated) this.map.paint(this.palette);
    if (this.curvesChanged || this.isMoving) this.paintCurves(view);
    this.mapChanged = false;
    this.curvesChanged = false;
  }

  private paintCurves(view: LiveView): void {
    // The axis maximum rises immediately and falls slowly, so that the curves do not jump.
    const target = Math.max(1, peakOf(view.points) * 1.12);
    if (target > this.high) this.high = target;
    else if (this.isMoving) this.high = Math.max(target, this.high * 0.98);
    this.curvePainter.paint({
      palette: this.palette,
      points: view.points,
      now: view.now + (this.isMoving ? this.elapsedMillis() : 0),
      high: this.high,
      failures: view.failures,
    });
  }

  private elapsedMillis(): number {
    return performance.now() - this.frameMillis;
  }

  private scheduleNumbers(): void {
    if (this.numbersTimer !== 0) return;
    const wait = Math.max(0, this.numbersMillis + NUMBERS_MILLIS - performance.now());
    this.numbersTimer = window.setTimeout(() => {
      this.numbersTimer = 0;
      // Wider numbers wrap and rows appear: what is pressed must not move.
      updateUnlessPressed(this.root, () => this.updateNumbers());
    }, wait);
  }

  /** Updates all numbers on the page from one frame. */
  private updateNumbers(): void {
    const { view } = this.views;
    if (view === null) return;
    this.numbersMillis = performance.now();
    this.numbers.update(view, this.rate);
    this.updateStatusLine();
    this.root.dataset['numbers'] = String(view.version);
  }

  /** Updates the side panel and the status line from the pinned or hovered block. */
  private updatePanel(): void {
    const { shown, map } = this;
    if (shown === null) return;
    const { pinned, hovered } = map;
    const block = pinned === null ? hovered : blockAt(shown.map.map, pinned);
    if (block !== null) this.panel.show(shown.map, shown.sites, block, pinned !== null);
    else if (pinned !== null) this.panel.showReleased(pinned);
    else this.panel.clear();
    this.updateStatusLine();
  }

  private updateStatusLine(): void {
    const { shown } = this;
    if (shown === null) return;
    const { map } = shown.map;
    const { hovered, bytesPerLine } = this.map;
    const line =
      hovered === null || map.blockBytes[hovered] === undefined
        ? [this.numbers.reservedText, `${bytesText(bytesPerLine)} per line`].filter(Boolean).join(' · ')
        : `${addressText(wordAt(map.blockAddress, hovered))} · ${bytesText(map.blockBytes[hovered])} · ${STATE_NAMES[byteAt(map.state, hovered)]}`;
    if (this.elements.status.textContent !== line) this.elements.status.textContent = line;
  }

  private setStatus(status: StreamStatus): void {
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
    const frozen = this.views.isFrozen && this.status.kind === 'live';
    connection.dataset['kind'] = frozen ? 'frozen' : this.status.kind;
    connection.textContent = frozen ? '❚❚ frozen' : statusText(this.status);
  }

  /** A frozen view is painted again from its own data when the window or the theme changes. */
  private freeze(frozen: boolean): void {
    if (frozen) this.views.freeze(this.isMoving ? this.elapsedMillis() : 0);
    else this.views.unfreeze();
    this.updateStatus();
    this.elements.freeze.textContent = frozen ? 'Resume' : 'Freeze';
    this.elements.freeze.setAttribute('aria-pressed', String(frozen));
    this.scheduleNumbers();
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
      this.mapChanged = true;
      this.curvesChanged = true;
      this.requestPaint();
    });
    new ResizeObserver(() => {
      if (this.curvePainter.fit()) this.curvesChanged = true;
      if (this.map.resize()) this.mapChanged = true;
      this.requestPaint();
    }).observe(this.elements.map);
  }
}

function statusText(status: StreamStatus): string {
  switch (status.kind) {
    case 'connecting':
      return '◌ connecting';
    case 'live':
      return '● live';
    case 'silent':
      return `◌ no data for ${status.seconds} s`;
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
