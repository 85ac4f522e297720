import { describe, expect, it } from 'vitest';
import { responseBytes } from '../src/pages/request/response-bytes';

/** A response in pieces, as from the network. */
function respond(bytes: Uint8Array<ArrayBuffer>, piece: number, type: 'bytes' | undefined): Response {
  let sent = 0;
  const pull = (controller: ReadableByteStreamController | ReadableStreamDefaultController) => {
    if (sent === bytes.length) {
      controller.close();
      if ('byobRequest' in controller) controller.byobRequest?.respond(0);
      return;
    }
    controller.enqueue(bytes.slice(sent, sent + piece));
    sent = Math.min(bytes.length, sent + piece);
  };
  return new Response(type === 'bytes' ? new ReadableStream({ type, pull }) : new ReadableStream({ pull }));
}

describe('responseBytes', () => {
  const bytes = new Uint8Array(3_000_001).map((_, i) => (i * 31 + (i >> 9)) & 255);

  it.each(['bytes', undefined] as const)(
    'reads responses of any size, also at the same time (stream %s)',
    async (type) => {
      const lengths = [0, 1, 70_000, 1 << 20, (1 << 20) + 1, bytes.length, 12];
      for (const pieces of [1000, 65_536, 1 << 22]) {
        const all = await Promise.all(lengths.map((n) => responseBytes(respond(bytes.slice(0, n), pieces, type))));
        for (const [i, read] of all.entries()) {
          expect(read.byteLength).toBe(lengths[i]);
          expect(Buffer.compare(Buffer.from(read), Buffer.from(bytes.buffer, 0, lengths[i]))).toBe(0);
        }
      }
    },
  );

  it('passes on that the connection broke', async () => {
    const pull = (controller: ReadableByteStreamController) => controller.error(new TypeError('network'));
    await expect(responseBytes(new Response(new ReadableStream({ type: 'bytes', pull })))).rejects.toThrow('network');
    expect((await responseBytes(respond(bytes.slice(0, 5), 2, 'bytes'))).byteLength).toBe(5);
  });
});
