import type { Graph } from '@pacioli/core';
import type { OperatorMode } from './depth.ts';
import type { Capability, Operator, Question } from './operator.ts';

/** The criteria of a request for the choice of an operator (ai-surface OP-20). */
interface Criteria {
  readonly minConfidence: number;
  readonly requiredCapabilities: readonly Capability[];
  readonly preferredMode: OperatorMode | undefined;
  readonly excluded: readonly string[];
}

/** The chosen operator, and the strategy and scores that the metadata of the answer report. */
export interface Selection {
  readonly operator: Operator;
  readonly strategy: 'explicit' | 'confidence' | 'fallback';
  readonly scores: Readonly<Record<string, number>>;
  readonly confidence: number;
}

/** The operator that answers when no other fits a question. */
const fallbackType = 'analyst';

/** Finds an operator of a graph by its type or a former one. */
export function findOperator(operators: readonly Operator[], graph: Graph, type: string): Operator | undefined {
  return operators.find((each) => (each.key === type || each.aliases?.includes(type) === true) && each.fits(graph));
}

/**
 * Chooses the operator with the highest score; among equals, the first one. Below the minimum, or without one that
 * fits, it is the analyst; undefined if the graph has no analyst either.
 */
export function selectOperator(
  operators: readonly Operator[],
  graph: Graph,
  question: Question,
  criteria: Criteria,
): Selection | undefined {
  const { minConfidence, requiredCapabilities, preferredMode, excluded } = criteria;
  const scored = operators
    .filter(
      (each) =>
        each.fits(graph) &&
        !excluded.includes(each.key) &&
        requiredCapabilities.every((capability) => each.capabilities.includes(capability)) &&
        (preferredMode === undefined || each.modes.includes(preferredMode)),
    )
    .map((operator) => ({ operator, score: clamp(operator.canHandle?.(question) ?? 0) }));
  const scores = Object.fromEntries(scored.map(({ operator, score }) => [operator.key, score]));
  const best = scored.reduce<(typeof scored)[number] | undefined>(
    (top, each) => (top === undefined || each.score > top.score ? each : top),
    undefined,
  );
  if (best !== undefined && best.score >= minConfidence && best.score > 0)
    return { operator: best.operator, strategy: 'confidence', scores, confidence: best.score };
  const fallback = findOperator(operators, graph, fallbackType);
  return fallback === undefined
    ? undefined
    : { operator: fallback, strategy: 'fallback', scores, confidence: scores[fallback.key] ?? 0 };
}

/** Limits a score of a plugin to 0 to 1, and takes NaN and infinities as 0, so that none outranks all others. */
function clamp(score: number): number {
  return Number.isFinite(score) ? Math.min(1, Math.max(0, score)) : 0;
}

/** The mode in which an operator works: the wanted one, or else its deepest (ai-surface OP-14). */
export function modeOf(operator: Operator, wanted: OperatorMode): OperatorMode {
  return operator.modes.includes(wanted) ? wanted : (operator.modes.at(-1) ?? wanted);
}
