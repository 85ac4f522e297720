import type { LabSide } from './lab';

/** What a link restores: the allocators, the script, and how many of its operations are done. */
export interface LabState {
  readonly sides: readonly LabSide[];
  readonly script: string;
  readonly done: number;
}

const MAX_SCRIPT = 2_000_000;

/** Packs an experiment for the fragment of a URL: deflated JSON as base64url. */
export async function packed(state: LabState): Promise<string> {
  const json = new TextEncoder().encode(JSON.stringify([state.sides, state.script, state.done]));
  const bytes = await streamed(json, new CompressionStream('deflate-raw'));
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The experiment of a fragment; null if it is none. */
export async function unpacked(text: string): Promise<LabState | null> {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const json = new TextDecoder().decode(await streamed(bytes, new DecompressionStream('deflate-raw')));
    const [sides, script, done] = JSON.parse(json) as [unknown, unknown, unknown];
    if (!Array.isArray(sides) || sides.length === 0 || sides.length > 2 || !sides.every(isSide)) return null;
    if (typeof script !== 'string' || script.length > MAX_SCRIPT || typeof done !== 'number') return null;
    return { sides, script, done: Math.max(0, Math.trunc(done)) };
  } catch {
    return null; // Cut off, or of something else.
  }
}

function isSide(side: unknown): side is LabSide {
  const { allocator, settings, deviceBytes } = (side ?? {}) as Record<string, unknown>;
  return typeof allocator === 'string' && typeof settings === 'string' && typeof deviceBytes === 'string';
}

/** Sends bytes through a transformation; what comes out is limited, because links come from others. */
async function streamed(
  bytes: Uint8Array<ArrayBuffer>,
  transform: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(transform).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    length += value.length;
    if (length > 2 * MAX_SCRIPT) throw new Error('too long');
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
