import { intAt, wordAt } from '../../base/at';
import { addressText } from '../../base/numbers';
import type { MapView } from '../../model/map-view';
import { type AddressRange, blockAt, blockContaining, type SnapshotMap } from '../../model/memory-map';
import type { BlockPanel } from './block-panel';
import type { AllocationDetails, SnapshotClient } from '../snapshot/snapshot-client';

/** What a view pins: the memory of an allocation or, without one, a free block. */
export type Pinned = Pick<MapView, 'selected' | 'allocation'>;

const NOTHING: Pinned = { selected: null, allocation: null };

/**
 * The pinned block of the memory map. The block of an allocation stays pinned at all moments: before it is allocated and
 * after it is freed, its address is outlined.
 */
export class MapPin {
  pinned: Pinned = NOTHING;
  /** The block in the map that is shown. */
  block: number | null = null;
  /** The memory of the pinned allocation while it is not allocated. */
  absent: AddressRange | null = null;
  private details: AllocationDetails | null = null;
  private request = new AbortController();

  /** `changed` is called when the memory of an allocation that is not allocated is known. */
  constructor(
    private readonly client: SnapshotClient,
    private readonly panel: BlockPanel,
    private readonly changed: () => void,
  ) {}

  /** The address in hexadecimal, or null. */
  address(map: SnapshotMap | null): string | null {
    if (map !== null && this.block !== null) return addressText(wordAt(map.blockAddress, this.block));
    if (this.absent !== null) return addressText(this.absent.address);
    return this.pinned.selected === null ? null : addressText(this.pinned.selected);
  }

  /** Takes over what a view pins, until its map arrives. */
  restore({ selected, allocation }: MapView): void {
    this.pinned = { selected, allocation };
  }

  /** Pins a block of the map, or none. */
  set(map: SnapshotMap, block: number | null): void {
    this.forget();
    this.block = block;
    this.pinned = block === null ? NOTHING : pinnedBy(map, block);
    if (block === null) this.panel.clear();
    else this.panel.show(map, block, true);
  }

  /** Describes the block at the pointer if none is pinned. */
  point(map: SnapshotMap, block: number): void {
    if (this.pinned.selected === null && this.pinned.allocation === null) this.panel.show(map, block, false);
  }

  /** Finds what is pinned in the map of another moment, after `event`; null: at the end. */
  follow(map: SnapshotMap, event: number | null): void {
    const { selected, allocation } = this.pinned;
    this.forget();
    this.block = selected !== null ? blockAt(map, selected) : blockOf(map, allocation);
    if (this.block !== null) {
      this.pinned = pinnedBy(map, this.block);
      this.panel.show(map, this.block, true);
    } else if (allocation !== null) void this.showAbsent(allocation, map, event);
    else if (selected !== null) this.panel.clear('No block starts at the pinned address at this moment.');
    else this.panel.clear();
  }

  private forget(): void {
    this.request.abort();
    this.absent = null;
  }

  private async showAbsent(row: number, map: SnapshotMap, event: number | null): Promise<void> {
    this.request = new AbortController();
    const { signal } = this.request;
    try {
      if (this.details?.row !== row) {
        this.panel.clear('The selected allocation has no block at this moment.');
        this.details = await this.client.allocation(row, signal);
      }
      if (signal.aborted) return;
      const address = BigInt(this.details.address ?? 0);
      this.absent = { address, bytes: this.details.allocatedBytes ?? this.details.requestedBytes ?? 1 };
      this.panel.showAbsent(this.details, event, map, blockContaining(map, address));
      this.changed();
    } catch {
      if (!signal.aborted) this.panel.clear('There is no such allocation.');
    }
  }
}

function pinnedBy(map: SnapshotMap, block: number): Pinned {
  const allocation = intAt(map.allocation, block);
  return allocation < 0
    ? { allocation: null, selected: wordAt(map.blockAddress, block) }
    : { allocation, selected: null };
}

function blockOf(map: SnapshotMap, allocation: number | null): number | null {
  const block = allocation === null ? -1 : map.allocation.indexOf(allocation);
  return block < 0 ? null : block;
}
