import { describe, expect, it } from 'vitest';
import { isLog } from '../src/pages/uploads/log-file';

const file = (name: string, ...parts: (string | Uint8Array<ArrayBuffer>)[]) => new File(parts, name);

describe('isLog', () => {
  it.each([
    ['train.log', 'step 1\nCUDA out of memory. Tried to allocate 2.00 GiB'],
    ['colours.txt', '\u001b[31mERROR\u001b[0m [rank0]: out of memory'],
    ['rank.log', '[rank0]: torch.OutOfMemoryError'],
    ['stats.json', '{"active.all.allocated": 4601, "active.all.current": 626}'],
    ['timeline.json', '[[1795535493315499, 1795535493315499], [[0, 1]]]'],
  ])('%s is explained', async (name, text) => {
    expect(await isLog(file(name, text))).toBe(true);
  });

  it('a log of PowerShell is explained', async () => {
    expect(await isLog(file('out.txt', new Uint8Array([0xff, 0xfe, 0x43, 0x00])))).toBe(true);
  });

  it.each([
    ['old.pickle', 'cos\nsystem\n'],
    ['snapshot.json', '{"segments": [], "device_traces": []}'],
    ['list.json', '[{"device": 0}]'],
    ['trace.html', '<!DOCTYPE html><html>'],
    ['rmm_log.dev0.csv', 'Thread,Time,Action,Pointer,Size,Stream\n'],
    ['spark.log', 'INFO start\n1979932,14:21:19.998533,allocate,0x30a000000,256,0x2\n'],
    ['pointer', 'version https://git-lfs.github.com/spec/v1'],
    ['empty', ''],
  ])('%s is uploaded', async (name, text) => {
    expect(await isLog(file(name, text))).toBe(false);
  });

  it.each([
    ['pickle', [0x80, 0x04, 0x95]],
    ['gzip', [0x1f, 0x8b, 0x08]],
    ['a profile', [0x0a, 0x04, 0x08, 0x01]],
  ])('%s is uploaded', async (_, bytes) => {
    expect(await isLog(file('file', new Uint8Array(bytes)))).toBe(false);
  });
});
