/** An allocator of an experiment and its device, as the REST API takes it. */
export interface LabSide {
  readonly allocator: string;
  readonly settings: string;
  readonly deviceBytes: string;
}

export interface LabBlock {
  /** From the start of the segment. */
  readonly offset: number;
  readonly bytes: number;
  readonly state: 'allocated' | 'pending-free' | 'inactive';
  /** The number that the script gave it; -1 for a block that is not in use. */
  readonly id: number;
  readonly requestedBytes: number;
  readonly stream: number;
  /** The streams that a freed block waits for. */
  readonly awaited: readonly number[];
}

export interface LabSegment {
  readonly address: string;
  readonly bytes: number;
  readonly stream: number;
  readonly pool: string;
  readonly expandable: boolean;
  readonly registration: number;
  readonly blocks: readonly LabBlock[];
  /** Of a BFC allocator: the bin of each block. */
  readonly bins: readonly number[];
}

export interface LabReason {
  readonly kind: string;
  readonly text: string;
}

/** A step of a request that no free block served at first. */
export interface LabAttempt {
  readonly step: string;
  readonly isEnough: boolean;
  readonly bytes: number;
}

export interface LabSearch {
  readonly bytes: number;
  readonly candidates: readonly string[];
  readonly chosen?: string | null;
  readonly firstBin: number;
  readonly lastBin: number;
}

/** An event of the allocator, with its name in PyTorch's traces. */
export interface LabEvent {
  readonly action: string;
  readonly address: string;
  readonly bytes: number;
  readonly stream: number;
}

export interface LabKernel {
  readonly number: number;
  readonly stream: number;
  readonly id: number;
  readonly address: string;
  readonly bytes: number;
}

export interface LabNumbers {
  readonly allocatedBytes: number;
  readonly requestedBytes: number;
  readonly activeBytes: number;
  readonly reservedBytes: number;
  readonly peakAllocatedBytes: number;
  readonly peakReservedBytes: number;
  readonly freeBytes: number;
  readonly largestFreeBytes: number;
  readonly fragmentation: number;
  readonly deviceBytes: number;
  readonly deviceFreeBytes: number;
  readonly externalBytes: number;
  readonly driverCalls: number;
  readonly retries: number;
  readonly outOfMemoryCount: number;
}

/** The effect of one operation on one side. */
export interface LabStep {
  readonly failed: boolean;
  readonly reasons: readonly LabReason[];
  readonly attempts: readonly LabAttempt[];
  readonly search?: LabSearch | null;
  readonly address?: string | null;
  readonly changed: readonly LabSegment[];
  readonly removed: readonly string[];
  readonly events: readonly LabEvent[];
  readonly kernels: readonly LabKernel[];
  readonly totals: LabNumbers;
}

/** The response of POST /api/v1/lab/run. */
export interface LabAnswer {
  readonly operationCount: number;
  readonly from: number;
  readonly operations: readonly string[];
  readonly sides: readonly { readonly steps: readonly LabStep[] }[];
}

/** A side after some operations. */
export interface LabMoment {
  /** By address. */
  readonly segments: ReadonlyMap<string, LabSegment>;
  /** The step that led here; its reasons are empty for a state that was not reached by a described step. */
  readonly step: LabStep;
}

/** The state after a step. */
export function momentAfter(segments: ReadonlyMap<string, LabSegment>, step: LabStep): LabMoment {
  if (step.changed.length === 0 && step.removed.length === 0) return { segments, step };
  const next = new Map(segments);
  for (const address of step.removed) next.delete(address);
  for (const segment of step.changed) next.set(segment.address, segment);
  return { segments: next, step };
}

/** The segments in the order in which they were acquired. */
export function inOrder(segments: ReadonlyMap<string, LabSegment>): LabSegment[] {
  return [...segments.values()].sort(
    (a, b) => a.registration - b.registration || (BigInt(a.address) < BigInt(b.address) ? -1 : 1),
  );
}

/** The blocks that the script holds, by number. */
export function allocatedBlocks(segments: ReadonlyMap<string, LabSegment>): LabBlock[] {
  return [...segments.values()]
    .flatMap((segment) => segment.blocks)
    .filter((block) => block.state === 'allocated')
    .sort((a, b) => a.id - b.id);
}

/** Such as "PyTorch caching, expandable_segments:True, 4GiB". */
export function sideName(side: LabSide): string {
  const allocator = side.allocator === 'bfc' ? 'XLA BFC' : 'PyTorch caching';
  const settings = side.allocator === 'bfc' ? '' : side.settings === '' ? ', default settings' : `, ${side.settings}`;
  return `${allocator}${settings}, device of ${side.deviceBytes.replace(/([0-9])([KMGT])/, '$1 $2')}`;
}
