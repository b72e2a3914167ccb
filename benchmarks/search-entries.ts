import { type Embedder, type IndexEntry, type IndexMatches, maxEmbeddedTexts } from '@pacioli/core/ports';

/** A section of a document with its vector. */
export function sectionEntry(given: {
  readonly id: string;
  readonly documentTitle: string;
  readonly content: string;
  readonly embedding: Float32Array | null;
  readonly model: string;
}): IndexEntry {
  const { id, documentTitle, content, embedding, model } = given;
  return { ...sharedFields, id, documentTitle, content, embedding, embeddingModel: model };
}

/** The fields that all sections of the benchmarks share; most are empty. */
const sharedFields = {
  ...{ parentId: null, part: 1, partCount: 1, nextId: null, sourceType: 'uploaded_doc', sectionLabel: null },
  ...{ sectionId: null, entityTicker: null, entityName: null, entityCik: null, elementQname: null },
  ...{ xbrlElements: null, filingDate: null, fiscalYear: null, fiscalPeriod: null, formType: null },
  ...{ accessionNumber: null, contentUrl: null, tags: null, folder: null, generation: 1 },
};

export async function embedAll(embedder: Embedder, texts: readonly string[]): Promise<readonly Float32Array[]> {
  const vectors: Float32Array[] = [];
  const { signal } = new AbortController();
  for (let start = 0; start < texts.length; start += maxEmbeddedTexts)
    vectors.push(...(await embedder.embed(texts.slice(start, start + maxEmbeddedTexts), 'passage', { signal })));
  return vectors;
}

/** The ids of both lists by their weighted scores, as search fuses them (ai-surface SR-12). */
export function fused({ byText, byVector }: IndexMatches): readonly string[] {
  const scores = new Map<string, number>();
  const best = byText[0]?.score ?? 1;
  for (const { id, score } of byText) scores.set(id, (0.75 * score) / best);
  for (const { id, score } of byVector) scores.set(id, (scores.get(id) ?? 0) + 0.25 * score);
  return [...scores].sort(([, a], [, b]) => b - a).map(([id]) => id);
}
