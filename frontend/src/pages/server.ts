import type { Frame } from '../model/frames';
import { type MemoryMap, decodeMemoryMap } from '../model/memory-map';
import type { Span } from '../model/span';
import { decodeTimeline, type Timeline } from '../model/timeline';
import { Problem } from './problem';

/** What the server tells about one allocation. */
export interface AllocationFacts {
  readonly row: number;
  readonly address: string;
  /** null where the recording does not tell. */
  readonly requestedBytes: number | null;
  readonly allocatedBytes: number | null;
  readonly stream: number | string;
  readonly pool: string | null;
  readonly allocationEvent: number | null;
  readonly freeRequestedEvent: number | null;
  readonly freeCompletedEvent: number | null;
  /** On the clock of the trace; a null is not known. */
  readonly allocationMicros: number | null;
  readonly lifeMicros: number | null;
  readonly site: Site | null;
  readonly frames: readonly Frame[];
  readonly userMetadata: string | null;
  readonly compileContext: string | null;
  readonly category: string | null;
}

/** The line that a stack is named after: the innermost of the user's own code, or of another kind where it has none. */
export type Site = Frame;

export interface StackFacts {
  readonly frames: readonly Frame[];
  readonly site: Site | null;
}

/** What one picture needs: events, and how many pixels wide and high it is. */
export interface TimelineWish {
  readonly span: Span | null;
  readonly width: number;
  readonly height: number;
}

/** The answers of one snapshot's device. `api` is /api/v1/snapshots/ID. All throw Problem or BrokenColumns. */
export class Server {
  constructor(
    private readonly api: string,
    private readonly device: string,
  ) {}

  async timeline(wish: TimelineWish, signal: AbortSignal): Promise<Timeline> {
    const query = new URLSearchParams({ device: this.device });
    if (wish.span !== null) {
      query.set('from', String(wish.span.from));
      query.set('to', String(wish.span.to));
    }
    query.set('width', String(wish.width));
    query.set('height', String(wish.height));
    return decodeTimeline(await this.columns(`timeline?${query}`, signal));
  }

  async memoryMap(signal: AbortSignal): Promise<MemoryMap> {
    return decodeMemoryMap(await this.columns(`segments?device=${encodeURIComponent(this.device)}`, signal));
  }

  async allocation(row: number, signal: AbortSignal): Promise<AllocationFacts> {
    return (await this.json(`allocations/${row}?device=${encodeURIComponent(this.device)}`, signal)) as AllocationFacts;
  }

  async stack(stack: number, signal: AbortSignal): Promise<StackFacts> {
    return (await this.json(`stacks/${stack}`, signal)) as StackFacts;
  }

  private async columns(path: string, signal: AbortSignal): Promise<ArrayBuffer> {
    return (await this.get(path, 'application/vnd.vramscope.columns, application/problem+json', signal)).arrayBuffer();
  }

  private async json(path: string, signal: AbortSignal): Promise<unknown> {
    return (await this.get(path, 'application/json, application/problem+json', signal)).json();
  }

  private async get(path: string, accept: string, signal: AbortSignal): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(`${this.api}/${path}`, { headers: { Accept: accept }, signal });
    } catch (error) {
      if (signal.aborted) throw error;
      throw Problem.ofNetwork();
    }
    if (!response.ok) throw Problem.read(response.status, await response.text());
    return response;
  }
}
