import type { MapColour } from '../model/colour-by';
import type { SnapshotMap } from '../model/memory-map';
import { groupTint, type Palette, tintOf } from './palette';

/** The colours of allocated blocks, computed once for each map. */
export class MapTints {
  private map: SnapshotMap | null = null;
  private palette: Palette | null = null;
  private colour: MapColour = 'state';
  private tints: Uint8Array | null = null;

  /** Index of each block's colour in `palette.tints`; null for the colours of states. */
  of(map: SnapshotMap, colour: MapColour, palette: Palette): Uint8Array | null {
    if (this.map !== map || this.palette !== palette || this.colour !== colour) {
      [this.map, this.palette, this.colour] = [map, palette, colour];
      this.tints = tintsOf(map, colour, palette);
    }
    return this.tints;
  }
}

function tintsOf({ groups, stack }: SnapshotMap, colour: MapColour, palette: Palette): Uint8Array | null {
  if (colour === 'site') return Uint8Array.from(stack, (each) => tintOf(palette, each));
  return groups === null
    ? null
    : Uint8Array.from(groups.groupOf, (group) => groupTint(palette, group, groups.isOrdered));
}
