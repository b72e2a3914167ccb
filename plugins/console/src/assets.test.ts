import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type ConsolePage, consolePages } from './pages.ts';
import { assetFolder } from './shell.ts';

const pages = consolePages({ status: () => Promise.reject(new Error('not asked for')), hasExplorer: true });
const get = (path: string, isGzipTaken: boolean) => pages({ path, isBrowser: true, isGzipTaken });

async function pathOf(file: string): Promise<string> {
  const body = (await get('/docs', true))?.body;
  const path = new RegExp(`${assetFolder.slice(1)}[^"]*/${file}`).exec(typeof body === 'string' ? body : '')?.[0];
  return `/${path}`;
}

function open(page: ConsolePage | undefined): Readable {
  if (page === undefined || typeof page.body === 'string') throw new Error('The page is not a file.');
  return page.body();
}

async function chunksOf(stream: Readable): Promise<readonly Buffer[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

describe('an asset', () => {
  it('is compressed once for concurrent and later requests', async () => {
    const page = await get(await pathOf('swagger-ui.js'), true);
    expect(page?.headers['Content-Encoding']).toBe('gzip');
    const [first = [], second = []] = await Promise.all([chunksOf(open(page)), chunksOf(open(page))]);
    const later = await chunksOf(open(await get(await pathOf('swagger-ui.js'), true)));
    // The same buffer, not merely equal content.
    expect(second[0]?.buffer).toBe(first[0]?.buffer);
    expect(later[0]?.buffer).toBe(first[0]?.buffer);
    expect(gunzipSync(Buffer.concat(first)).length).toBeGreaterThan(1_000_000);
  });

  it('is the same file with and without compression, also after a client disconnects midway', async () => {
    const path = await pathOf('docs.js');
    open(await get(path, true)).destroy();
    const plain = Buffer.concat(await chunksOf(open(await get(path, false))));
    const zipped = Buffer.concat(await chunksOf(open(await get(path, true))));
    expect(plain).toEqual(readFileSync(fileURLToPath(new URL('browser/docs.js', import.meta.url))));
    expect(gunzipSync(zipped)).toEqual(plain);
  });
});
