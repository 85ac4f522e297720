/** A canvas pixel as a little-endian 32-bit number: 0xAABBGGRR. */
export type Pixel = number;

export interface Rgb {
  readonly r: number;
  readonly g: number;
  readonly b: number;
}

export function pixelOf({ r, g, b }: Rgb): Pixel {
  return ((255 << 24) | (Math.round(b) << 16) | (Math.round(g) << 8) | Math.round(r)) >>> 0;
}

export function cssOf({ r, g, b }: Rgb, alpha = 1): string {
  return `rgb(${Math.round(r)} ${Math.round(g)} ${Math.round(b)} / ${alpha})`;
}

/** Linear interpolation from `one` (`share` 0) to `other` (`share` 1). */
export function mixed(one: Rgb, other: Rgb, share: number): Rgb {
  return {
    r: one.r + (other.r - one.r) * share,
    g: one.g + (other.g - one.g) * share,
    b: one.b + (other.b - one.b) * share,
  };
}

/** Hashes `number` to an index from 0 to `count` − 1, so that consecutive numbers get unrelated indices. */
export function hashIndex(number: number, count: number): number {
  let hash = Math.imul(number + 0x9e3779b9, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % count;
}
