import { type Ids, invalidInput, type Transaction } from '@pacioli/core';
import type { LibraryCatalog, StructureParts } from '@pacioli/taxonomy';
import { readSets } from '../facts/index.ts';
import type { StoredFactSet } from '../models/facts.ts';
import type { RulePatternSpec } from '../models/rule-patterns.ts';
import type { Evaluation, RuleStatus, RuleSummary, VerificationResult } from '../models/rules.ts';
import type { BlockingFailure, EvaluationRequest, RuleEngine } from '../tokens.ts';
import type { RuleOutcome } from './evaluate-rules.ts';
import { evaluateRules } from './evaluate-rules.ts';
import type { RuleFinder } from './rule-finder.ts';
import { RuleMaterial, type StructureMaterial } from './rule-material.ts';
import { deleteResults, insertResults, readBlockingFailures } from './verification-results.ts';

const maxStructures = 500;

export interface RuleEngineParts {
  readonly ids: Ids;
  readonly structures: StructureParts;
  readonly library: LibraryCatalog;
  readonly finder: RuleFinder;
  readonly patterns: ReadonlyMap<string, RulePatternSpec>;
}

/** Evaluates the rules of structures over their stored facts and stores the results. */
export class StoredRuleEngine implements RuleEngine {
  readonly #parts: RuleEngineParts;

  constructor(parts: RuleEngineParts) {
    this.#parts = parts;
  }

  async evaluate(tx: Transaction, request: EvaluationRequest): Promise<Evaluation> {
    const pins = pinsOf(request);
    const structures = await this.#parts.structures.find(tx, request.structureIds);
    for (const id of request.structureIds) {
      if (!structures.has(id)) throw invalidInput(`Structure not found: ${id}`);
    }
    const sets = await setsOf(tx, request.structureIds, pins);
    const material = await RuleMaterial.read(tx, this.#parts, {
      structures: [...structures.values()],
      sets,
      window: { periodStart: request.periodStart ?? null, periodEnd: request.periodEnd ?? null },
    });
    const results = request.structureIds.flatMap((structureId) => {
      const own = material.of(structureId);
      return this.#outcomesOf(own).map((outcome) => this.#resultOf(outcome, own, pins.get(structureId), request));
    });
    if (request.replacesEarlier === true) {
      const pairs = request.structureIds.map((structureId) => ({
        structureId,
        factSetId: pins.get(structureId) ?? null,
      }));
      await deleteResults(tx, pairs);
    }
    await insertResults(tx, results, { runId: this.#parts.ids.make('run'), userId: request.userId });
    return { results, summary: summaryOf(results) };
  }

  blockingFailures(tx: Transaction, factSetIds: readonly string[]): Promise<readonly BlockingFailure[]> {
    return readBlockingFailures(tx, factSetIds);
  }

  #outcomesOf(own: StructureMaterial): readonly RuleOutcome[] {
    return evaluateRules({ ...own, patterns: this.#parts.patterns });
  }

  #resultOf(
    outcome: RuleOutcome,
    own: StructureMaterial,
    factSetId: string | undefined,
    request: EvaluationRequest,
  ): VerificationResult {
    const { rule, status, message, periods } = outcome;
    const starts = periods.flatMap(({ start }) => start ?? []).sort();
    const ends = periods.map(({ end }) => end).sort();
    return {
      id: this.#parts.ids.make('vr'),
      ruleId: rule.id,
      structureId: own.structure.id,
      factSetId: factSetId ?? null,
      status,
      severity: rule.severity,
      message: status === 'pass' ? null : message,
      periodStart: request.periodStart ?? starts[0] ?? null,
      periodEnd: request.periodEnd ?? ends.at(-1) ?? null,
      detail: { periods, ...(outcome.residual === undefined ? {} : { residual: outcome.residual }) },
      evaluatedAt: request.now,
    };
  }
}

/** Reporting R-22: all four states are present, including those with a count of zero. */
export function summaryOf(results: readonly { readonly status: RuleStatus }[]): RuleSummary {
  const count = (status: RuleStatus): number => results.filter((each) => each.status === status).length;
  return { pass: count('pass'), fail: count('fail'), error: count('error'), skipped: count('skipped') };
}

function pinsOf(request: EvaluationRequest): ReadonlyMap<string, string> {
  const { structureIds, periodStart, periodEnd, factSetId } = request;
  if (structureIds.length > maxStructures) throw invalidInput(`At most ${maxStructures} structures at once.`);
  if (periodStart != null && periodEnd != null && periodEnd < periodStart) {
    throw invalidInput(`The period ends (${periodEnd}) before it starts (${periodStart}). Give a later end.`);
  }
  if (factSetId == null) return request.factSetIds ?? new Map();
  const [structureId] = structureIds;
  if (structureId === undefined || structureIds.length > 1) {
    throw invalidInput('A fact set belongs to one structure. Name that structure alone.');
  }
  return new Map([[structureId, factSetId]]);
}

/** The pinned sets, and the actual sets of structures without a pin, in order of preference. */
async function setsOf(
  tx: Transaction,
  structureIds: readonly string[],
  pins: ReadonlyMap<string, string>,
): Promise<readonly StoredFactSet[]> {
  const open = structureIds.filter((id) => !pins.has(id));
  const pinned = pins.size === 0 ? [] : await readSets(tx, { scenario: 'all', factSetIds: [...pins.values()] });
  const actual = open.length === 0 ? [] : await readSets(tx, { scenario: 'actuals', structureIds: open });
  for (const [structureId, setId] of pins) {
    if (pinned.some((set) => set.id === setId && set.structureId === structureId)) continue;
    throw invalidInput(`Fact set ${setId} does not belong to structure ${structureId}. Name a set of that structure.`);
  }
  return [...pinned, ...actual];
}
