import type * as Rest from '../rest-types';

/** An allocator of an experiment and its device, as the REST API takes it. */
export interface LabSide {
  readonly allocator: string;
  readonly settings: string;
  readonly deviceBytes: string;
}

export type LabBlock = Rest.ShownBlock;

export type LabSegment = Rest.LabSegment;

export type LabReason = Rest.Reason;

/** A step of a request that no free block served at first. */
export type LabAttempt = Rest.Attempt;

export type LabSearch = Rest.LabSearch;

/** An event of the allocator, with its name in PyTorch's traces. */
export type LabEvent = Rest.LabEvent;

export type LabKernel = Rest.LabKernel;

export type LabNumbers = Rest.LabNumbers;

/** The effect of one operation on one side. */
export type LabStep = Rest.LabStep;

/** The response of POST /api/v1/lab/run. */
export type LabAnswer = Rest.LabAnswer;

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

/** Such as "PyTorch caching, expandable_segments:True, device of 4 GiB". */
export function sideName(side: LabSide): string {
  const allocator =
    side.allocator === 'bfc' ? 'XLA BFC' : side.allocator === 'direct' ? 'No cache (platform)' : 'PyTorch caching';
  const settings =
    side.allocator !== 'caching' ? '' : side.settings === '' ? ', default settings' : `, ${side.settings}`;
  return `${allocator}${settings}, device of ${side.deviceBytes.replace(/([0-9])([KMGT])/, '$1 $2')}`;
}
