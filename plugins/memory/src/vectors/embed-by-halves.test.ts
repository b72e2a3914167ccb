import { type Embedder, EmbeddingError } from '@pacioli/core/ports';
import { describe, expect, it } from 'vitest';
import { embedByHalves } from './embed-by-halves.ts';
import { TextEmbedder } from './text-embedder.ts';

const signal = new AbortController().signal;
const itemsOf = (count: number) => Array.from({ length: count }, (_item, at) => ({ text: `Text ${at}` }));

/** An embedder that refuses a call if a test says so, with the texts of its calls. */
function refusingEmbedder(refuses: (texts: readonly string[], call: number) => boolean) {
  const calls: (readonly string[])[] = [];
  const driver: Embedder = {
    id: 'refusing',
    dimensions: 1,
    embed: async (texts) => {
      calls.push(texts);
      if (refuses(texts, calls.length)) throw new EmbeddingError('The provider refuses the texts.');
      return texts.map(() => Float32Array.of(1));
    },
  };
  return { calls, embedder: new TextEmbedder(driver) };
}

async function outcomeOf(embedder: TextEmbedder, count: number, stop = signal) {
  const { made, refused, failure } = await embedByHalves(embedder, itemsOf(count), { signal, stop });
  return { made: made.length, refused: refused.map(({ text }) => text), failure: failure?.message };
}

describe('embedByHalves', () => {
  it('makes all vectors but those of the refused texts (ai-surface ME-15)', async () => {
    const { calls, embedder } = refusingEmbedder((texts) => texts.includes('Text 5') || texts.includes('Text 63'));
    expect(await outcomeOf(embedder, 64)).toEqual({ made: 62, refused: ['Text 5', 'Text 63'], failure: undefined });
    // The batch, 12 calls for the halves with the first refused text, 10 more for those with the other one, and two
    // tests of the embedder: after the first refusal, and after the last because no call for texts follows it.
    expect(calls).toHaveLength(1 + 12 + 10 + 2);
  });

  it('ends after two calls while the embedder is down (ai-surface ME-15)', async () => {
    const { calls, embedder } = refusingEmbedder(() => true);
    expect(await outcomeOf(embedder, 64)).toEqual({ made: 0, refused: [], failure: 'The provider refuses the texts.' });
    expect(calls).toHaveLength(2);
  });

  it('counts no text as refused if the embedder is down after it, and keeps the vectors', async () => {
    // The batch, the test of the embedder, the first half, and from then on nothing.
    const { embedder } = refusingEmbedder((_texts, call) => call === 1 || call > 3);
    expect(await outcomeOf(embedder, 2)).toEqual({ made: 1, refused: [], failure: 'The provider refuses the texts.' });
  });

  it('leaves the rest after 32 calls for texts', async () => {
    const { calls, embedder } = refusingEmbedder((texts) => texts.some((text) => text !== 'memory'));
    const { made, refused, failure } = await outcomeOf(embedder, 64);
    expect([made, refused.length > 0, failure]).toEqual([0, true, undefined]);
    expect(calls.filter(([text]) => text !== 'memory')).toHaveLength(32);
  });

  it('starts no further call for texts once it shall stop', async () => {
    const stopping = new AbortController();
    const { calls, embedder } = refusingEmbedder((texts) => {
      stopping.abort();
      return texts.length > 1;
    });
    expect(await outcomeOf(embedder, 64, stopping.signal)).toEqual({ made: 0, refused: [], failure: undefined });
    expect(calls.map(({ length }) => length)).toEqual([64, 1]);
  });
});
