import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COLUMN_TYPES } from '../src/model/columns';
import { FRAME_KINDS } from '../src/model/frames';
import { EVENT_NAMES } from '../src/model/live/live-log';
import { ALLOCATED, INACTIVE, LARGE, PENDING, SMALL } from '../src/model/memory-map';

/** The server's WireEnumsTest reads the same file. */
const fixture = JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures/wire-enums.json'), 'utf8'));

describe('enums shared with the server', () => {
  it('have the same event codes', () => {
    expect(Object.fromEntries(EVENT_NAMES.map((name, code) => [name, code]))).toEqual(fixture.traceActions);
  });

  it('have the same block states and pool kinds', () => {
    expect({ allocated: ALLOCATED, pending_free: PENDING, inactive: INACTIVE }).toEqual(fixture.blockStates);
    expect({ small: SMALL, large: LARGE }).toEqual(fixture.poolKinds);
  });

  it('have the same frame kinds', () => {
    expect(FRAME_KINDS).toEqual(fixture.frameKinds);
  });

  it('have the same column types', () => {
    const bytes = Object.entries(COLUMN_TYPES).map(([name, type]) => [name, type.BYTES_PER_ELEMENT]);
    expect(Object.fromEntries(bytes)).toEqual(fixture.columnBytes);
  });
});
