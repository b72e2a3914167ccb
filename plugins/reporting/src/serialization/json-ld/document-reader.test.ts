import { describe, expect, it } from 'vitest';
import { handMadeBundle } from '../../../test/hand-made-bundle.ts';
import { DocumentReader } from './document-reader.ts';
import { readJsonLd } from './read-json-ld.ts';
import { writeJsonLd } from './write-json-ld.ts';

const bytes = Buffer.from([...writeJsonLd(handMadeBundle)].join(''), 'utf8');

async function* inChunks(content: Uint8Array, chunkBytes: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < content.length; from += chunkBytes) yield content.subarray(from, from + chunkBytes);
}

async function nodesIn(content: Uint8Array): Promise<readonly unknown[]> {
  const reader = new DocumentReader(inChunks(content, 1_000));
  await reader.context();
  const nodes: unknown[] = [];
  for await (const node of reader.nodes()) nodes.push(node);
  return nodes;
}

describe('document-reader', () => {
  it.each([1, 7, 64, 1_000, 1_000_000])(
    'reads the same report from chunks of %i bytes (reporting X-9)',
    async (size) => {
      expect(await readJsonLd(inChunks(bytes, size))).toEqual(handMadeBundle);
    },
  );

  it('gives the nodes of a document in their order (reporting X-9)', async () => {
    expect(await nodesIn(bytes)).toEqual(JSON.parse(bytes.toString('utf8'))['@graph']);
  });

  it.each([
    ['ends in its context', bytes.subarray(0, 500)],
    ['ends in a node', bytes.subarray(0, bytes.length - 100)],
    ['ends after a node', bytes.subarray(0, bytes.lastIndexOf('\n    }') + 6)],
    ['lacks its last line', bytes.subarray(0, bytes.length - 2)],
    ['is written on one line', Buffer.from(JSON.stringify(JSON.parse(bytes.toString('utf8'))))],
    ['is empty', Buffer.alloc(0)],
  ])('refuses a document that %s (reporting X-9)', async (_form, content) => {
    await expect(readJsonLd(inChunks(content, 1_000))).rejects.toThrow('is incomplete or has another form');
  });

  it('closes the file of a document of another service (reporting P-16)', async () => {
    let isClosed = false;
    async function* chunks(): AsyncGenerator<Uint8Array> {
      try {
        yield* inChunks(Buffer.from(bytes.toString('utf8').replace('/fin/v1#', '/other#')), 1_000);
      } finally {
        isClosed = true;
      }
    }
    await expect(readJsonLd(chunks())).rejects.toThrow('the context of another service');
    expect(isClosed).toBe(true);
  });
});
