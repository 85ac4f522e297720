import { describe, expect, it } from 'vitest';
import { Problem } from '../src/pages/display/problem';

describe('a problem', () => {
  it('has the texts of the server', () => {
    const body = { title: 'Forbidden opcode', detail: 'GLOBAL os.system', where: 'byte 12', next: 'Dump it again.' };
    expect(Problem.read(422, JSON.stringify(body))).toMatchObject({ ...body, isTransient: false });
  });

  it('is transient for server errors only', () => {
    expect(Problem.read(503, '{"title":"Locked"}')).toMatchObject({ title: 'Locked', detail: null, isTransient: true });
    expect(Problem.read(413, '{"title":"Too large"}').isTransient).toBe(false);
  });

  it('is described by the status if the body is not a problem', () => {
    for (const body of ['', '<html>', '[]', '{"title":7}']) {
      expect(Problem.read(502, body).title).toBe('The server responded with status 502.');
    }
  });

  it('is created from any thrown value', () => {
    const problem = Problem.ofNetwork();
    expect(Problem.of(problem)).toBe(problem);
    expect(Problem.of(new TypeError('x')).detail).toContain('TypeError: x');
  });
});
