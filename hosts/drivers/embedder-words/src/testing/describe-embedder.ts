import { type Embedder, EmbeddingError, maxEmbeddedTexts } from '@pacioli/core/ports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

export interface EmbedderUnderTest {
  readonly embedder: Embedder;
  close(): Promise<void>;
}

const never = new AbortController().signal;

/** The suite of the embedder port: the same tests for every driver. */
export function describeEmbedder(name: string, createEmbedder: () => Promise<EmbedderUnderTest>): void {
  describe(`embedder ${name}`, () => {
    let tested: EmbedderUnderTest;
    const embed = (...texts: string[]) => tested.embedder.embed(texts, 'passage', { signal: never });
    const only = async (text: string): Promise<Float32Array> => (await embed(text))[0] ?? new Float32Array();

    beforeAll(async () => {
      tested = await createEmbedder();
    });
    afterAll(async () => {
      await tested.embedder.close?.();
      await tested.close();
    });

    it('has an id of printable ASCII characters and a number of dimensions (ai-surface SR-13)', () => {
      expect(tested.embedder.id).toMatch(/^[\x21-\x7e]{1,200}$/);
      expect(tested.embedder.dimensions).toBeGreaterThan(0);
    });

    it('returns one vector of length 1 and of its dimension for each text', async () => {
      const vectors = await embed('Cash at bank', 'Deferred revenue of customers', 'x');
      expect(vectors.map(({ length }) => length)).toEqual(Array(3).fill(tested.embedder.dimensions));
      for (const vector of vectors) expect(lengthOf(vector)).toBeCloseTo(1, 4);
    });

    it('returns the vectors in the order of the texts, also for the most texts of a call', async () => {
      const texts = Array.from({ length: maxEmbeddedTexts }, (_, index) => `Invoice ${index % 7} of the supplier`);
      const vectors = await embed(...texts);
      expect(vectors).toHaveLength(maxEmbeddedTexts);
      for (const [index, vector] of vectors.entries())
        expect(cosine(vector, vectors[index % 7] ?? vector)).toBeGreaterThan(0.999);
    });

    it('rejects one text more than a call may have with an EmbeddingError', async () => {
      await expect(embed(...Array<string>(maxEmbeddedTexts + 1).fill('rent'))).rejects.toThrow(EmbeddingError);
    });

    it('returns no vectors for no texts', async () => {
      expect(await embed()).toEqual([]);
    });

    it('returns the same vector for the same text, alone and among others', async () => {
      const [, among] = await embed('Rent of the office and of warehouses', 'Trade receivables', 'Tax');
      expect(cosine(await only('Trade receivables'), among ?? new Float32Array())).toBeGreaterThan(0.999);
    });

    it('returns finite numbers for empty, long and unusual texts', async () => {
      const texts = [
        '',
        ' ',
        '\u0000',
        '\ud800',
        '🧾🧾',
        'ﬁnance',
        '会計帳簿',
        '<|endoftext|> [CLS] [SEP]',
        'a'.repeat(40_000),
      ];
      for (const vector of await embed(...texts)) {
        expect(vector.length).toBe(tested.embedder.dimensions);
        expect(vector.every(Number.isFinite)).toBe(true);
        expect([0, 1]).toContain(Math.round(lengthOf(vector) * 1000) / 1000);
      }
    });

    it('tells unrelated texts from equal ones', async () => {
      const [first, second] = await embed('inventory of finished goods', 'litigation against the company');
      expect(cosine(first ?? new Float32Array(), second ?? new Float32Array())).toBeLessThan(0.95);
    });

    it('embeds nothing for a call that was aborted before', async () => {
      const signal = AbortSignal.abort(new Error('The caller is gone.'));
      await expect(tested.embedder.embed(['rent'], 'query', { signal })).rejects.toThrow('The caller is gone.');
    });
  });
}

function lengthOf(vector: Float32Array): number {
  return Math.sqrt(cosine(vector, vector));
}

/** The cosine of two vectors of length 1. */
function cosine(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);
}
