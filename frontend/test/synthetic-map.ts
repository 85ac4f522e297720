import { encodeColumns } from './encode';
import { randomFrom } from './random';

const MIB = 2 ** 20;

/** A fragmented memory map with about `blockCount` blocks on three streams and in two pools, some expandable. */
export function encodeSyntheticMap(seed: number, blockCount: number): ArrayBuffer {
  const random = randomFrom(seed);
  const pools = ['(0, 0)', '(1, 0)'];
  const streams = ['0', '7', '23'];
  const segments = { address: [] as bigint[], bytes: [] as number[], stream: [] as number[], pool: [] as number[] };
  const kind: number[] = [];
  const expandable: number[] = [];
  const firstBlock: number[] = [];
  const blockAddress: bigint[] = [];
  const blockBytes: number[] = [];
  const requested: number[] = [];
  const state: number[] = [];
  const stack: number[] = [];
  let address = 0x7f08_0000_0000n;
  while (blockBytes.length < blockCount) {
    const small = random() < 0.35;
    const isExpandable = !small && random() < 0.05;
    const size = small
      ? 2 * MIB
      : isExpandable
        ? Math.ceil(500 + random() * 3000) * 2 * MIB
        : Math.ceil(10 + random() * 40) * 2 * MIB;
    segments.address.push(address);
    segments.bytes.push(size);
    segments.stream.push(random() < 0.8 ? 0 : random() < 0.5 ? 1 : 2);
    segments.pool.push(random() < 0.9 ? 0 : 1);
    kind.push(small ? 0 : 1);
    expandable.push(isExpandable ? 1 : 0);
    firstBlock.push(blockBytes.length);
    let at = 0;
    let previous = 0;
    while (at < size) {
      const target = small ? Math.ceil(random() * 60) * 512 : Math.ceil(random() ** 3 * 24 * 1024) * 512 * 4;
      const free = previous !== 2 && random() < 0.3;
      const bytes = Math.min(size - at, target);
      previous = free ? 2 : random() < 0.04 ? 1 : 0;
      blockAddress.push(address + BigInt(at));
      blockBytes.push(bytes);
      requested.push(previous === 2 ? NaN : bytes - Math.floor(random() * 511));
      state.push(previous);
      stack.push(previous === 2 ? -1 : Math.floor(random() * 40));
      at += bytes;
    }
    address += BigInt(size) + (random() < 0.3 ? 0x1000_0000n : 0n);
  }
  firstBlock.push(blockBytes.length);
  const header = {
    device: 0,
    allocator: 'caching',
    reservedBytes: segments.bytes.reduce((sum, each) => sum + each, 0),
    pools,
    streams,
    estimatedBlockCount: 0,
    notes: [],
  };
  return encodeColumns(header, {
    address: BigUint64Array.from(segments.address),
    bytes: Float64Array.from(segments.bytes),
    stream: Int32Array.from(segments.stream),
    pool: Int32Array.from(segments.pool),
    kind: Uint8Array.from(kind),
    expandable: Uint8Array.from(expandable),
    firstBlock: Int32Array.from(firstBlock),
    segmentStack: Int32Array.from(kind, () => -1),
    blockAddress: BigUint64Array.from(blockAddress),
    blockBytes: Float64Array.from(blockBytes),
    requested: Float64Array.from(requested),
    state: Uint8Array.from(state),
    stack: Int32Array.from(stack),
    allocation: Int32Array.from(stack),
  });
}
