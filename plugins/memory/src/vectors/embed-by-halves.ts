import { EmbeddingError } from '@pacioli/core/ports';
import type { TextEmbedder } from './text-embedder.ts';

/** The most calls for one batch: a batch of 64 texts with one that is refused takes 13. */
const maxCalls = 32;

interface Limits {
  readonly signal: AbortSignal;
  /** Once it is aborted, no further part of the batch is embedded. */
  readonly stop: AbortSignal;
}

interface EmbeddedTexts<Item> {
  readonly made: readonly { readonly item: Item; readonly vector: Float32Array }[];
  /** Items that the embedder refuses although it answers for other texts. */
  readonly refused: readonly Item[];
  /** The error of the last call, if the embedder does not answer for any text. */
  readonly failure: EmbeddingError | undefined;
}

/**
 * Makes the vectors of texts in one call; a refused call is repeated for each half, so that one text does not keep the
 * others waiting (ai-surface ME-15). Items that are in neither list of the result remain to be embedded.
 */
export async function embedByHalves<Item extends { readonly text: string }>(
  embedder: TextEmbedder,
  items: readonly Item[],
  { signal, stop }: Limits,
): Promise<EmbeddedTexts<Item>> {
  const waiting = [items];
  const made: { readonly item: Item; readonly vector: Float32Array }[] = [];
  const refused: Item[] = [];
  let failure: EmbeddingError | undefined;
  let isProven = false;
  for (let calls = 0; calls < maxCalls && !stop.aborted; calls += 1) {
    const batch = waiting.pop();
    if (batch === undefined) break;
    const answer = await vectorsOf(embedder, batch, signal);
    if (Array.isArray(answer)) {
      made.push(...answer);
      failure = undefined;
      isProven = true;
      continue;
    }
    failure = answer;
    if (!isProven && !(await embedder.isAnswering(signal))) return { made, refused: [], failure };
    isProven = true;
    const middle = Math.ceil(batch.length / 2);
    if (batch.length === 1) refused.push(...batch);
    else waiting.push(batch.slice(middle), batch.slice(0, middle));
  }
  // Without a later success, the embedder may be down since, and has refused nothing.
  if (failure !== undefined && refused.length > 0 && !(await embedder.isAnswering(signal)))
    return { made, refused: [], failure };
  return { made, refused, failure: undefined };
}

async function vectorsOf<Item extends { readonly text: string }>(
  embedder: TextEmbedder,
  items: readonly Item[],
  signal: AbortSignal,
): Promise<{ item: Item; vector: Float32Array }[] | EmbeddingError> {
  const texts = items.map(({ text }) => text);
  try {
    const vectors = await embedder.ofTexts(texts, 'passage', signal);
    return items.flatMap((item, at) => {
      const vector = vectors[at];
      return vector === undefined ? [] : [{ item, vector }];
    });
  } catch (error) {
    if (error instanceof EmbeddingError) return error;
    throw error;
  }
}
