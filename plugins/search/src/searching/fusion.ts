import type { RankedEntry } from '@pacioli/core/ports';

/** The share of the cosine in a score; the rest is of the text. */
const vectorShare = 0.25;

/**
 * Joins the ranking by text and the ranking by vectors (ai-surface SR-12): the score of the text as a part of the best
 * one, and the cosine, by their shares. Equal scores are ordered by the score of the text, then by id.
 */
export function fuse(byText: readonly RankedEntry[], byVector: readonly RankedEntry[]): readonly RankedEntry[] {
  const best = byText[0]?.score ?? 1;
  const fused = new Map<string, { readonly id: string; score: number; readonly textScore: number }>();
  for (const { id, score } of byText) {
    fused.set(id, { id, score: ((1 - vectorShare) * score) / best, textScore: score });
  }
  for (const { id, score: cosine } of byVector) {
    const known = fused.get(id) ?? { id, score: 0, textScore: 0 };
    // Sums of rounded numbers may be a little above 1.
    known.score = Math.min(1, known.score + vectorShare * cosine);
    fused.set(id, known);
  }
  return [...fused.values()]
    .sort((a, b) => b.score - a.score || b.textScore - a.textScore || (a.id < b.id ? -1 : 1))
    .map(({ id, score }) => ({ id, score }));
}
