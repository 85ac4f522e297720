import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LabScript } from '../src/model/lab/lab-script';
import { LabClient } from '../src/pages/lab/lab-client';

interface Sent {
  readonly script: string;
  readonly signal: AbortSignal | null;
  respond(response: Response): void;
}

const sent: Sent[] = [];

beforeEach(() => {
  sent.length = 0;
  vi.stubGlobal('fetch', (_url: string, { body, signal }: { body: string; signal: AbortSignal | null }) => {
    const { script } = JSON.parse(body) as { script: string };
    return new Promise<Response>((respond) => sent.push({ script, signal, respond }));
  });
});
afterEach(() => vi.unstubAllGlobals());

const SIDES = [{ allocator: 'caching', settings: '', deviceBytes: '1GiB' }];
const refusal = () => new Response(JSON.stringify({ title: 'Not a size', detail: '1Xi' }), { status: 400 });
const settled = () => new Promise((resolve) => setTimeout(resolve));

describe('LabClient', () => {
  it('does not refuse an experiment for the one before it', async () => {
    const client = new LabClient(SIDES, LabScript.of('malloc 1 1Xi 0'));
    const first = client.load(1);
    expect(sent[0]?.script).toContain('1Xi');
    client.change(LabScript.of('malloc 1 1MiB 0'));
    const second = client.load(1).then(
      () => 'answered',
      () => 'refused',
    );
    await settled();
    expect(sent.map(({ script }) => script)).toEqual(['malloc 1 1Xi 0', 'malloc 1 1MiB 0']);
    expect(sent[0]?.signal?.aborted).toBe(true);
    sent[0]?.respond(refusal());
    expect(await first).toBe(false);
    sent[1]?.respond(refusal());
    expect(await second).toBe('refused');
  });

  it('shares a request, and its failure, among all who wait for the same', async () => {
    const client = new LabClient(SIDES, LabScript.of('malloc 1 1Xi 0'));
    const outcomes = [1, 2, 3].map(() =>
      client.load(1).then(
        () => 'answered',
        () => 'refused',
      ),
    );
    expect(sent).toHaveLength(1);
    sent[0]?.respond(refusal());
    expect(await Promise.all(outcomes)).toEqual(['refused', 'refused', 'refused']);
    expect(sent).toHaveLength(1);
  });

  it('is silent about a failure of what it requests ahead, and requests it again when it is needed', async () => {
    const client = new LabClient(SIDES, LabScript.of('malloc 1 1MiB 0'));
    client.ahead();
    const needed = client.load(1).catch((error: Error) => error.message);
    sent[0]?.respond(new Response('', { status: 503 }));
    await settled();
    expect(sent).toHaveLength(2);
    sent[1]?.respond(refusal());
    expect(await needed).toBe('Not a size');
  });
});
