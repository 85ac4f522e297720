import { describe, expect, it } from 'vitest';
import { Problem } from '../src/pages/problem';

describe('a problem', () => {
  it('keeps the server’s words', () => {
    const body = { title: 'Forbidden opcode', detail: 'GLOBAL os.system', where: 'byte 12', next: 'Dump it again.' };
    expect(Problem.read(422, JSON.stringify(body))).toMatchObject({ ...body, mayPass: false });
  });

  it('may pass when the server is at fault, not when the file is', () => {
    expect(Problem.read(503, '{"title":"Locked"}')).toMatchObject({ title: 'Locked', detail: null, mayPass: true });
    expect(Problem.read(413, '{"title":"Too large"}').mayPass).toBe(false);
  });

  it('is told by its status when the body says nothing', () => {
    for (const body of ['', '<html>', '[]', '{"title":7}']) {
      expect(Problem.read(502, body).title).toBe('The server answered with status 502.');
    }
  });

  it('is made of whatever was thrown', () => {
    const problem = Problem.ofNetwork();
    expect(Problem.of(problem)).toBe(problem);
    expect(Problem.of(new TypeError('x')).detail).toContain('TypeError: x');
  });
});
