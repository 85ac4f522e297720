import { MAP_COLOURS, type MapColour, readMapColour } from '../../model/colour-by';
import type { SnapshotMap } from '../../model/memory-map';
import { MapTints } from '../../render/map-tints';
import type { Palette } from '../../render/palette';
import { ColourChoice } from '../snapshot/colour-choice';

/** The colours of the blocks of a stored snapshot: their choice, legend and parameter in the URL. */
export class MapColours extends ColourChoice<MapColour> {
  private readonly computed = new MapTints();

  constructor(changed: () => void) {
    super(MAP_COLOURS, changed);
  }

  restore(query: string): void {
    this.value = readMapColour(new URLSearchParams(query).get('colour'));
  }

  write(query: URLSearchParams): void {
    if (this.value === 'state') query.delete('colour');
    else query.set('colour', this.value);
  }

  showGroups({ groups }: SnapshotMap, palette: Palette): void {
    this.show({ groups, pools: null, width: 0 }, palette);
  }

  tints(map: SnapshotMap, palette: Palette): Uint8Array | null {
    return this.computed.of(map, this.value, palette);
  }
}
