import type { RankedEntry } from '@pacioli/core/ports';

const rankOffset = 60;
/** A first place in both lists scores 1. */
const scale = (rankOffset + 1) / 2;

/**
 * Joins the ranking by text and the ranking by vectors by the reciprocals of the ranks (ai-surface SR-12). Equal scores
 * are ordered by the score of the text, then by id.
 */
export function fuse(byText: readonly RankedEntry[], byVector: readonly RankedEntry[]): readonly RankedEntry[] {
  const fused = new Map<string, { readonly ranked: RankedEntry; score: number; textScore: number }>();
  const add = (list: readonly RankedEntry[], isText: boolean): void => {
    list.forEach((ranked, at) => {
      const known = fused.get(ranked.entry.id) ?? { ranked, score: 0, textScore: 0 };
      known.score += 1 / (rankOffset + at + 1);
      if (isText) known.textScore = ranked.score;
      fused.set(ranked.entry.id, known);
    });
  };
  add(byText, true);
  add(byVector, false);
  return [...fused.values()]
    .sort((a, b) => b.score - a.score || b.textScore - a.textScore || (a.ranked.entry.id < b.ranked.entry.id ? -1 : 1))
    .map(({ ranked, score }) => ({ entry: ranked.entry, score: score * scale }));
}
