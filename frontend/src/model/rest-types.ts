// Generated from docs/openapi.json: npm run rest-types. The Java records of the same names describe the members.

export interface AllocationView {
  readonly row: number;
  readonly address: string | null;
  readonly segment: string | null;
  readonly requestedBytes: number | null;
  readonly allocatedBytes: number | null;
  readonly stream: number;
  readonly pool: string | null;
  readonly allocationEvent: number | null;
  readonly freeRequestedEvent: number | null;
  readonly freeCompletedEvent: number | null;
  readonly allocationMicros: number | null;
  readonly lifeMicros: number | null;
  readonly stack: number | null;
  readonly site: FrameView | null;
  readonly frames: readonly FrameView[];
  readonly frameCount: number;
  readonly userMetadata: string | null;
  readonly compileContext: string | null;
  readonly use: string;
}

export interface Attempt {
  readonly step:
    | 'search'
    | 'collect-garbage'
    | 'check-limit'
    | 'acquire'
    | 'search-fallback-pools'
    | 'release-oversize'
    | 'release-cache'
    | 'merge-recent-frees'
    | 'release-regions';
  readonly isEnough: boolean;
  readonly bytes: number;
}

export interface EventListRow {
  readonly event: number;
  readonly action: string;
  readonly text: string;
  readonly bytes: number;
  readonly address?: string;
  readonly stream: number;
  readonly pool?: string;
  readonly timeMicros?: number;
  readonly stack?: number;
  readonly site?: FrameView;
  readonly activeBytes: number;
  readonly reservedBytes?: number;
}

export interface EventListView {
  readonly device: number;
  readonly eventCount: number;
  readonly matchCount: number;
  readonly offset: number;
  readonly around: number | null;
  readonly rows: readonly EventListRow[];
}

export interface EventView {
  readonly event: number;
  readonly action: string;
  readonly text: string;
  readonly bytes: number;
  readonly address?: string;
  readonly segment?: string;
  readonly stream: number;
  readonly pool?: string;
  readonly timeMicros?: number;
  readonly allocation?: number;
  readonly failure?: number;
  readonly stack?: number;
  readonly site?: FrameView;
  readonly isAllocationSite: boolean;
  readonly activeBytes: number;
  readonly reservedBytes?: number;
}

export interface FailureAnswer {
  readonly cause: string;
  readonly advice: string;
}

export interface FlameDiffNodes {
  readonly parent: readonly number[];
  readonly frame: readonly number[];
  readonly amount: readonly number[];
  readonly before: readonly number[];
  readonly after: readonly number[];
  readonly isCut: readonly boolean[];
}

export interface FlameDiffView {
  readonly frames: readonly FlameFrame[];
  readonly nodes: FlameDiffNodes;
}

export interface FlameFrame {
  readonly number: number;
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly kind: 'user' | 'package' | 'runtime';
}

export interface FlameNodes {
  readonly parent: readonly number[];
  readonly frame: readonly number[];
  readonly amount: readonly number[];
  readonly selfAmount: readonly number[];
  readonly count: readonly number[];
  readonly isCut: readonly boolean[];
}

export interface FlameView {
  readonly device: number;
  readonly measure: string;
  readonly unit: 'bytes' | 'byte-events';
  readonly event: number | null;
  readonly total: number;
  readonly matched: number | null;
  readonly frames: readonly FlameFrame[];
  readonly nodes: FlameNodes;
}

export interface FrameView {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly kind: 'user' | 'package' | 'runtime';
}

export interface LabAnswer {
  readonly operationCount: number;
  readonly from: number;
  readonly operations: readonly string[];
  readonly sides: readonly LabSide[];
}

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

export interface LabSearch {
  readonly bytes: number;
  readonly candidates: readonly string[];
  readonly chosen: string | null;
  readonly firstBin: number;
  readonly lastBin: number;
}

export interface LabSegment {
  readonly address: string;
  readonly bytes: number;
  readonly stream: number;
  readonly pool: string;
  readonly expandable: boolean;
  readonly registration: number;
  readonly blocks: readonly ShownBlock[];
  readonly bins: readonly number[];
}

export interface LabSide {
  readonly steps: readonly LabStep[];
}

export interface LabSnapshot {
  readonly id: string;
  readonly href: string;
}

export interface LabStep {
  readonly failed: boolean;
  readonly reasons: readonly Reason[];
  readonly attempts: readonly Attempt[];
  readonly search: LabSearch | null;
  readonly address: string | null;
  readonly changed: readonly LabSegment[];
  readonly removed: readonly string[];
  readonly events: readonly LabEvent[];
  readonly kernels: readonly LabKernel[];
  readonly totals: LabNumbers;
}

export interface LabTrace {
  readonly trace: string;
  readonly configuration: string;
  readonly allocator: string;
}

export interface Reason {
  readonly kind:
    'rounded' | 'pool' | 'searched' | 'split' | 'coalesced' | 'driver' | 'stream' | 'failed' | 'hazard' | 'note';
  readonly text: string;
}

export interface ShownBlock {
  readonly offset: number;
  readonly bytes: number;
  readonly state: 'allocated' | 'pending-free' | 'inactive';
  readonly id: number;
  readonly requestedBytes: number;
  readonly stream: number;
  readonly awaited: readonly number[];
}

export interface SmallAllocations {
  readonly bytes: number;
  readonly count: number;
  readonly sites: readonly SmallSite[];
  readonly otherSiteCount: number;
}

export interface SmallSite {
  readonly site: FrameView | null;
  readonly bytes: number;
  readonly count: number;
}

export interface StackView {
  readonly frames: readonly FrameView[];
  readonly site: FrameView | null;
  readonly frameCount: number;
  readonly nextOffset: number | null;
}

export interface StoredSnapshot {
  readonly id: string;
  readonly name: string;
  readonly tags: Tags;
  readonly uploaded: string;
  readonly sha256: string;
  readonly originalBytes: number;
  readonly storedBytes: number;
  readonly format: string;
  readonly producer: string;
  readonly deviceCount?: number;
  readonly eventCount?: number;
  readonly segmentCount?: number;
  readonly blockCount?: number;
  readonly reservedBytes?: number;
  readonly allocatedBytes?: number;
  readonly peakBytes?: number;
  readonly oomCount?: number;
  readonly findingCount?: number;
  readonly answer: FailureAnswer | null;
}

export interface Tags {
  readonly job: string | null;
  readonly rank: string | null;
  readonly host: string | null;
  readonly step: number | null;
  readonly labels: readonly string[];
}
