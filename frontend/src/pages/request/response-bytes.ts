/** Enough for most responses; doubled when one is larger. */
const FIRST_BYTES = 1 << 20;

/** Used again by each response; null while a response is being read into it. */
let scratch: ArrayBuffer | null = null;

/**
 * The body of a response. `Response.arrayBuffer` keeps its intermediate buffers until a garbage collection, which made
 * the renderer grow by tens of MiB while a chart of 1M events is zoomed; here the browser writes into one buffer.
 */
export async function responseBytes(response: Response): Promise<ArrayBuffer> {
  const reader = byteReader(response);
  if (reader === null) return response.arrayBuffer();
  let buffer = scratch ?? new ArrayBuffer(FIRST_BYTES);
  scratch = null;
  for (let length = 0; ;) {
    if (length === buffer.byteLength) {
      const larger = new ArrayBuffer(2 * length);
      new Uint8Array(larger).set(new Uint8Array(buffer));
      buffer = larger;
    }
    const { done, value } = await reader.read(new Uint8Array(buffer, length, buffer.byteLength - length));
    if (value !== undefined) {
      buffer = value.buffer;
      length += value.byteLength;
    }
    if (!done) continue;
    scratch = buffer;
    return buffer.slice(0, length);
  }
}

/** Null where the browser cannot read a response into a given buffer. */
function byteReader({ body }: Response): ReadableStreamBYOBReader | null {
  try {
    return body?.getReader({ mode: 'byob' }) ?? null;
  } catch {
    return null;
  }
}
