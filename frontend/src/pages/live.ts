import { bytesText } from '../base/bytes';
import { addressText, countText } from '../base/numbers';
import type { Change } from '../model/live-changes';
import { LiveCurve } from '../model/live-curve';
import type { RawFrame } from '../model/live-frame';
import { LiveLog } from '../model/live-log';
import { type LiveMap, liveMapOf } from '../model/live-map';
import { BrokenFeed, LiveState } from '../model/live-state';
import { blockAt, STATE_NAMES } from '../model/memory-map';
import { LiveCurvePainter } from '../render/live-curve-painter';
import { type Palette, readPalette } from '../render/palette';
import { buildLiveElements, CurveLegend, type LiveElements, LiveLegend, liveSummary } from './live-elements';
import { LiveBlockPanel } from './live-block-panel';
import { LiveLogList } from './live-log-list';
import { LiveMapView } from './live-map-view';
import { Rate } from './live-rate';
import { LiveStream, type StreamStatus } from './live-stream';
import { element } from './element';
import { announceEnd } from './in-place';
import { problemBox } from './problem';
import { onThemeChange } from './theme';
import { setMessage, setState } from './view-state';

/** A live allocator: curves, map and events, as they happen. */
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
  private readonly rate = new Rate();
  private readonly calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  private palette: Palette;
  private live: LiveMap | null = null;
  private frozen = false;
  private stale = false;
  /** The clock of the page when the last frame came: between frames the curves move on by it. */
  private frameMillis = 0;
  private high = 1;
  private asked = 0;
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
    this.legend = new LiveLegend(this.elements.legend, !this.calm);
    this.legend.paint(this.palette);
    this.list = new LiveLogList(this.elements.log, this.log);
    this.curvePainter = new LiveCurvePainter(this.elements.curves);
    this.curvePainter.fit();
    this.map = new LiveMapView(this.elements.map, {
      changed: () => this.ask(),
      looked: () => this.look(),
      freeze: () => this.freeze(!this.frozen),
    });
    this.listen();
    setState(root, 'loading');
    this.stream = new LiveStream(
      `${root.dataset['api'] ?? ''}/events`,
      (frame) => this.follow(frame),
      (status) => this.tell(status),
    );
  }

  private follow(frame: RawFrame): void {
    let changes: Change[];
    try {
      changes = this.state.follow(frame);
    } catch (error) {
      if (!(error instanceof BrokenFeed)) throw error;
      this.stream.restart();
      return;
    }
    this.frameMillis = performance.now();
    this.curve.follow(frame);
    this.log.follow(frame, this.state.sites);
    this.rate.count(frame, this.frameMillis);
    this.stale = true;
    if (!this.frozen && !this.calm) this.map.flash(changes);
    this.root.dataset['version'] = String(this.state.version);
    setState(this.root, 'ready');
    this.list.changed();
    this.ask();
  }

  /** Paints at the next refresh, and while something moves at every one. */
  private ask(): void {
    if (this.asked !== 0) return;
    this.asked = requestAnimationFrame(() => {
      this.asked = 0;
      this.paint();
      if (!this.frozen && !this.calm && this.connected) this.ask();
    });
  }

  private paint(): void {
    if (this.state.version === 0) return;
    if (this.stale && !this.frozen) {
      this.stale = false;
      this.live = liveMapOf(this.state);
      this.map.show(this.live, this.palette);
      this.legend.say(this.live);
      this.curveLegend.say(this.state.levels);
      this.sayNothingYet();
      this.look();
      this.say();
    }
    if (this.live === null) return;
    this.map.paint(this.palette);
    if (this.frozen) return;
    // The top of the axis goes up at once and comes down slowly, so that the curves do not jump.
    const wanted = Math.max(1, this.curve.peak() * 1.12);
    this.high = wanted > this.high ? wanted : Math.max(wanted, this.high * 0.98);
    const waited = this.calm || !this.connected ? 0 : performance.now() - this.frameMillis;
    this.curvePainter.paint({
      palette: this.palette,
      points: this.curve.points,
      now: this.state.now + waited,
      high: this.high,
      failures: this.log.failures,
    });
  }

  /** The block under the pointer or the pinned one, in words. */
  private look(): void {
    const { live, map } = this;
    if (live === null) return;
    const { pinned, hovered } = map;
    const block = pinned === null ? hovered : blockAt(live.map, pinned);
    if (block !== null) this.panel.show(live, this.state.sites, block, pinned !== null);
    else if (pinned !== null) this.panel.gone(pinned);
    else this.panel.clear();
    this.elements.status.textContent =
      hovered === null || live.map.blockBytes[hovered] === undefined
        ? `${bytesText(this.state.levels.reserved)} reserved of ${bytesText(this.state.deviceTotal)} · ${bytesText(map.bytesPerLine)} a line`
        : `${addressText(live.map.blockAddress[hovered])} · ${bytesText(live.map.blockBytes[hovered])} · ${STATE_NAMES[live.map.state[hovered]]}`;
  }

  /** An allocator that nobody used yet: in words, rather than as an axis of nothing. */
  private sayNothingYet(): void {
    const nothing = this.state.levels.reserved === 0 && this.curve.peak() === 0;
    const { empty, curves } = this.elements;
    empty.hidden = !nothing;
    curves.classList.toggle('nothing-yet', nothing);
  }

  private say(): void {
    const { counts } = this.state;
    const text = [
      `${countText(this.rate.eventsPerSecond)} events/s in ${countText(this.rate.framesPerSecond)} pictures/s`,
      counts.shortLived > 0 ? `${countText(counts.shortLived)} blocks lived between two pictures` : '',
      counts.dropped > 0
        ? `${countText(counts.dropped)} events dropped, state taken anew ${countText(counts.gaps)}×`
        : '',
    ];
    const line = text.filter((part) => part !== '').join(' · ');
    if (this.elements.counts.textContent !== line) {
      this.elements.counts.textContent = line;
      this.elements.counts.title = line;
    }
    if (this.live !== null) this.elements.summary.textContent = liveSummary(this.state, this.live);
  }

  private tell(status: StreamStatus): void {
    this.connected = status.kind === 'live';
    this.status = status;
    this.sayStatus();
    const { message } = this.elements;
    if (status.kind === 'broken' && !status.problem.mayPass) {
      setMessage(
        message,
        problemBox(status.problem, () => this.stream.restart()),
      );
    } else if (status.kind === 'ended') {
      const list = element('a', { class: 'button', href: '/live' }, 'To the live allocators');
      const words = element('p', {}, `${status.reason} What you see is its last state.`);
      setMessage(message, element('div', { class: 'empty-state live-ended', role: 'alert' }, words, list));
      announceEnd(status.reason);
    } else setMessage(message, null);
    this.ask();
  }

  /** A picture that stands still is not live, however well the connection is. */
  private sayStatus(): void {
    const { connection } = this.elements;
    const frozen = this.frozen && this.status.kind === 'live';
    connection.dataset['kind'] = frozen ? 'frozen' : this.status.kind;
    connection.textContent = frozen ? '❚❚ frozen' : wordsOf(this.status);
  }

  private freeze(frozen: boolean): void {
    this.frozen = frozen;
    this.sayStatus();
    this.elements.freeze.textContent = frozen ? 'Go on' : 'Freeze';
    this.elements.freeze.setAttribute('aria-pressed', String(frozen));
    this.ask();
  }

  private pauseLog(): void {
    this.list.pause(!this.list.isPaused);
    this.elements.pauseLog.textContent = this.list.isPaused ? 'Go on' : 'Pause';
    this.elements.pauseLog.setAttribute('aria-pressed', String(this.list.isPaused));
  }

  private listen(): void {
    onThemeChange(() => {
      this.palette = readPalette(this.root);
      this.legend.paint(this.palette);
      this.stale = true;
      this.ask();
    });
    new ResizeObserver(() => {
      const curves = this.curvePainter.fit();
      if (this.map.resized() || curves) this.ask();
    }).observe(this.elements.map);
  }
}

function wordsOf(status: StreamStatus): string {
  switch (status.kind) {
    case 'connecting':
      return '◌ connecting';
    case 'live':
      return '● live';
    case 'hidden':
      return '❚❚ out of sight';
    case 'broken':
      return `✕ ${status.problem.title} Next try in ${Math.ceil(status.inMillis / 1000)} s`;
    case 'ended':
      return '■ ended';
  }
}

export function mountLive(root: HTMLElement): void {
  new LivePage(root);
}
