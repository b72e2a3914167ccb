import { Turns } from '@pacioli/core/ports';

/**
 * A table of word vectors, as `scripts/make-word-table.ts` writes it: `PWV1`, three 32-bit numbers (words, dimensions,
 * bytes of the word list), the words in UTF-8 with a line feed between them, a 32-bit factor for each word, and 8-bit
 * vectors. A vector counts with its factor, which contains the weight of the word.
 */
export interface WordTable {
  readonly dimensions: number;
  readonly rows: ReadonlyMap<string, number>;
  readonly factors: Float32Array;
  readonly vectors: Int8Array;
}

const headerBytes = 16;

/** Reads a table. Throws if the bytes are not one. Other requests get their turn meanwhile. */
export async function readWordTable(bytes: Buffer): Promise<WordTable> {
  if (bytes.length < headerBytes || bytes.toString('latin1', 0, 4) !== 'PWV1')
    throw new Error('The file of word vectors is damaged: reinstall @pacioli/embedder-words.');
  const [count, dimensions, textBytes] = [bytes.readUInt32LE(4), bytes.readUInt32LE(8), bytes.readUInt32LE(12)];
  const factorsAt = headerBytes + textBytes;
  const vectorsAt = factorsAt + count * 4;
  if (bytes.length !== vectorsAt + count * dimensions)
    throw new Error('The file of word vectors is incomplete: reinstall @pacioli/embedder-words.');
  const words = bytes.toString('utf8', headerBytes, factorsAt).split('\n');
  const rows = new Map<string, number>();
  const factors = new Float32Array(count);
  const turns = new Turns();
  for (const [row, word] of words.entries()) {
    rows.set(word, row);
    factors[row] = bytes.readFloatLE(factorsAt + row * 4);
    if (turns.isOver) await turns.next();
  }
  return {
    dimensions,
    rows,
    factors,
    vectors: new Int8Array(bytes.buffer, bytes.byteOffset + vectorsAt, count * dimensions),
  };
}

/** Adds the vector of a word with its weight to a sum. */
export function addWord(sum: Float64Array, { dimensions, factors, vectors }: WordTable, row: number): void {
  const factor = factors[row] ?? 0;
  const start = row * dimensions;
  for (let index = 0; index < dimensions; index += 1)
    sum[index] = (sum[index] ?? 0) + factor * (vectors[start + index] ?? 0);
}
