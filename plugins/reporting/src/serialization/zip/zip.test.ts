import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { zipOf } from './zip.ts';

const longText = 'Zürich, 2026-04-30\n'.repeat(10_000);
const files = [
  { path: 'report/empty.txt', content: Buffer.alloc(0) },
  { path: 'report/größe.txt', content: Buffer.from('a text') },
  { path: 'report/long.txt', parts: () => Array.from({ length: 10_000 }, () => longText.slice(0, 19)) },
];

describe('zip', () => {
  it('writes archives that another program reads, with the first moment of the format as their time (reporting G-5)', async () => {
    const archive = await buffer(zipOf(files));
    const zip = await fromBufferPromise(archive, { lazyEntries: true });
    const found: unknown[] = [];
    for await (const entry of zip.eachEntry()) {
      const content = await buffer(await zip.openReadStreamPromise(entry));
      found.push([
        entry.fileName,
        entry.compressionMethod,
        entry.externalFileAttributes >>> 16,
        content.toString('utf8'),
      ]);
      expect(entry.getLastModDate({ timezone: 'UTC' }).toISOString()).toBe('1980-01-01T00:00:00.000Z');
    }
    expect(found).toEqual([
      ['report/empty.txt', 0, 0o100644, ''],
      ['report/größe.txt', 0, 0o100644, 'a text'],
      ['report/long.txt', 0, 0o100644, longText],
    ]);
  });

  it('states the size of each file before its content, for readers of streams', async () => {
    const archive = await buffer(zipOf(files));
    const size = Buffer.byteLength(longText);
    const start = archive.indexOf('report/long.txt');
    expect([archive.readUInt32LE(start - 12), archive.readUInt32LE(start - 8)]).toEqual([size, size]);
    // Bit 3 would say that the size follows the content.
    expect(archive.readUInt16LE(start - 24) & (1 << 3)).toBe(0);
  });
});
