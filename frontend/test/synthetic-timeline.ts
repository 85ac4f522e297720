import { intAt, itemAt, numberAt } from '../src/base/at';
import { encodeColumns } from './encode';
import { randomFrom } from './random';

const MIB = 2 ** 20;

export interface Lifetime {
  /** Event of the allocation; -1: before the first event. */
  readonly allocated: number;
  /** Event of the free; Infinity: never freed. */
  readonly freed: number;
  readonly bytes: number;
  readonly stack: number;
}

export interface SyntheticTrace {
  readonly eventCount: number;
  readonly lifetimes: readonly Lifetime[];
  readonly ooms: readonly { event: number; requestedBytes: number; deviceFreeBytes: number | null }[];
  /** Active and reserved bytes after each event. */
  readonly active: Float64Array;
  readonly reserved: Float64Array;
}

/** A training run: weights before the first event, then steps that allocate activations in the forward pass and free them in the backward pass. */
export function syntheticTrace(seed: number, steps: number, layers: number): SyntheticTrace {
  const random = randomFrom(seed);
  const lifetimes: { allocated: number; freed: number; bytes: number; stack: number }[] = [];
  let event = 0;
  const allocate = (bytes: number, stack: number) =>
    lifetimes.push({ allocated: event++, freed: Infinity, bytes: Math.ceil(bytes / 512) * 512, stack }) - 1;
  const free = (row: number) => (itemAt(lifetimes, row).freed = event++);

  for (let i = 0; i < layers * 4; i++) {
    lifetimes.push({
      allocated: -1,
      freed: Infinity,
      bytes: Math.ceil(20 + random() * 60) * MIB,
      stack: 1000 + (i % 4),
    });
  }
  for (let step = 0; step < steps; step++) {
    const held: number[][] = [];
    for (let layer = 0; layer < layers; layer++) {
      const activations: number[] = [];
      for (let op = 0; op < 6; op++) {
        activations.push(allocate((0.5 + random() * 24) * MIB * (op === 3 ? 5 : 1), op));
        if (random() < 0.6) free(allocate(random() * 8 * MIB, 20 + op));
        if (random() < 0.5) free(allocate(random() * 90_000, 40 + op));
      }
      held.push(activations);
    }
    free(allocate((300 + random() * 200) * MIB, 60)); // logits
    for (const activations of held.reverse()) {
      const gradient = allocate((6 + random() * 12) * MIB, 70);
      for (const row of activations.reverse()) {
        const workspace = allocate(random() * 12 * MIB, 80);
        free(row);
        free(workspace);
      }
      free(gradient);
    }
    if (step === 1) for (let i = 0; i < layers; i++) allocate(30 * MIB, 90); // optimizer state, never freed
    if (step % 3 === 2) allocate(64 * MIB, 95); // a slow leak
  }
  const eventCount = event;
  const delta = new Float64Array(eventCount + 1);
  let level = 0;
  for (const each of lifetimes) {
    if (each.allocated < 0) level += each.bytes;
    else delta[each.allocated] = numberAt(delta, each.allocated) + each.bytes;
    if (each.freed !== Infinity) delta[each.freed] = numberAt(delta, each.freed) - each.bytes;
  }
  const active = new Float64Array(eventCount);
  const reserved = new Float64Array(eventCount);
  let pool = 0;
  for (let i = 0; i < eventCount; i++) {
    level += numberAt(delta, i);
    active[i] = level;
    pool = Math.max(pool, Math.ceil((level * 1.06) / (512 * MIB)) * 512 * MIB);
    reserved[i] = pool;
  }
  const ooms = [{ event: eventCount - 1, requestedBytes: 1178 * MIB, deviceFreeBytes: 614 * MIB }];
  return { eventCount, lifetimes, ooms, active, reserved };
}

/** Encodes the server's response for events `from` to `to` (exclusive). */
export function encodeTimeline(
  trace: SyntheticTrace,
  from: number,
  to: number,
  pixels: number,
  height: number,
): ArrayBuffer {
  const width = Math.min(pixels, to - from);
  const event = new Int32Array(width);
  const activeMax = new Float64Array(width);
  const activeMin = new Float64Array(width);
  for (let c = 0; c < width; c++) {
    const first = Math.floor(from + (c * (to - from)) / width);
    const last = Math.max(first + 1, Math.floor(from + ((c + 1) * (to - from)) / width));
    let high = first;
    let low = first;
    for (let e = first; e < last; e++) {
      if (numberAt(trace.active, e) > numberAt(trace.active, high)) high = e;
      if (numberAt(trace.active, e) < numberAt(trace.active, low)) low = e;
    }
    event[c] = high;
    activeMax[c] = numberAt(trace.active, high);
    activeMin[c] = numberAt(trace.active, low);
  }
  const peakBytes = trace.active.reduce((most, each) => Math.max(most, each), 0);
  const threshold = peakBytes / height / 2;
  const rest = new Float64Array(width);
  const bottoms = new Float64Array(width);
  const column0: number[] = [];
  const column1: number[] = [];
  const bottom: number[] = [];
  const bytes: number[] = [];
  const allocation: number[] = [];
  const stack: number[] = [];
  let summarizedCount = 0;
  let allocationCount = 0;
  for (const [row, life] of trace.lifetimes.entries()) {
    if (life.allocated >= to || life.freed <= from) continue;
    allocationCount++;
    const thin = life.bytes < threshold;
    if (thin) summarizedCount++;
    let open = false;
    for (let c = lowerBound(event, life.allocated); c < width && intAt(event, c) < life.freed; c++) {
      if (thin) {
        rest[c] = numberAt(rest, c) + life.bytes;
        continue;
      }
      if (open && bottom[bottom.length - 1] === bottoms[c]) column1[column1.length - 1] = c + 1;
      else {
        column0.push(c);
        column1.push(c + 1);
        bottom.push(numberAt(bottoms, c));
        bytes.push(life.bytes);
        allocation.push(row);
        stack.push(life.stack);
        open = true;
      }
      bottoms[c] = numberAt(bottoms, c) + life.bytes;
    }
  }
  const header = {
    device: 0,
    eventCount: trace.eventCount,
    from,
    to,
    width,
    peakBytes,
    peakEvent: trace.active.indexOf(peakBytes),
    windowPeakBytes: activeMax.reduce((most, each) => Math.max(most, each), 0),
    firstTimeMicros: 1_700_000_000_000_000,
    lastTimeMicros: 1_700_000_000_000_000 + trace.eventCount * 37,
    ooms: trace.ooms,
    allocationCount,
    drawnCount: allocationCount - summarizedCount,
    summarizedCount,
    reservedKnown: true,
  };
  return encodeColumns(header, {
    event,
    activeMax,
    activeMin,
    reserved: Float64Array.from(event, (e) => numberAt(trace.reserved, e)),
    micros: Float64Array.from(event, (e) => e * 37),
    rest,
    liveBefore: Float64Array.from(event, (e) =>
      trace.lifetimes.filter((l) => l.allocated < 0 && l.freed > e).reduce((sum, l) => sum + l.bytes, 0),
    ),
    column0: Int32Array.from(column0),
    column1: Int32Array.from(column1),
    bottom: Float64Array.from(bottom),
    bytes: Float64Array.from(bytes),
    allocation: Int32Array.from(allocation),
    stack: Int32Array.from(stack),
  });
}

/** The first column sampled at `allocated` or later. */
function lowerBound(event: Int32Array, allocated: number): number {
  let low = 0;
  let high = event.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (intAt(event, middle) < allocated) low = middle + 1;
    else high = middle;
  }
  return low;
}
