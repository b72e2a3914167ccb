export const rankings = ['similarity', 'blended'] as const;

export type Ranking = (typeof rankings)[number];

/** The facts of a memory by which it is ranked. */
export interface RankedMemory {
  /** The cosine of its vector and the one of the query. */
  readonly similarity: number;
  readonly updatedAt: Date;
  readonly memoryType: string;
  /** The number `importance` of its provenance; null without one. */
  readonly importance: number | null;
}

const weights = { similarity: 0.8, recency: 0.12, importance: 0.08 };
const halfLifeDays = 180;
const dayMs = 86_400_000;
/** The types that are more important than others if the provenance states no importance (ME-11). */
const importantTypes: ReadonlySet<string> = new Set(['decision', 'correction']);

/** The score by which hits are sorted in descending order (ME-10, ME-11). */
export function scoreOf(ranking: Ranking, memory: RankedMemory, now: Date): number {
  if (ranking === 'similarity') return memory.similarity;
  // A clock that was set back must not make a memory newer than new.
  const ageDays = Math.max(0, now.getTime() - memory.updatedAt.getTime()) / dayMs;
  const recency = 2 ** (-ageDays / halfLifeDays);
  return weights.similarity * memory.similarity + weights.recency * recency + weights.importance * importanceOf(memory);
}

function importanceOf({ importance, memoryType }: RankedMemory): number {
  if (importance !== null && importance >= 0 && importance <= 1) return importance;
  return importantTypes.has(memoryType) ? 0.8 : 0.5;
}
