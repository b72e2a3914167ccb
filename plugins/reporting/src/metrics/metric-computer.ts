import type { BlockWork, FoundNumber, NewFact, Rule } from '@pacioli/blocks';
import { invalidInput } from '@pacioli/core';
import type { ElementPart } from '@pacioli/taxonomy';
import { decimalsOf } from './metric-numbers.ts';
import { type MetricPlan, planMetrics, type SkippedMetric } from './metric-plan.ts';
import { type ComputedMetric, type MetricRun, runMetrics } from './metric-run.ts';
import {
  checkPeriod,
  entityOf,
  findMetricStructure,
  type MetricParts,
  type MetricStructure,
  readMetricStructure,
} from './metric-structure.ts';
import { beginDates, OperandBinder, type RunPeriod } from './operand-binding.ts';

export interface ComputeRequest {
  readonly structureId: string;
  readonly periodStart: string | null;
  readonly periodEnd: string;
  /** Null for the default reporting entity. */
  readonly entityId: string | null;
  /** Null for actuals. */
  readonly scenarioId: string | null;
}

export interface ComputeResult {
  readonly entityId: string;
  /** Null if no metric was computed and there was no set. */
  readonly factSetId: string | null;
  /** In presentation order. */
  readonly computed: readonly ComputedMetric[];
  readonly skipped: readonly SkippedMetric[];
}

/** Operands bind to facts of these sets (M-5). */
const operandSets = ['report', 'metric'] as const;

/** Computes the metrics of a block and replaces its standing set; sends a constant number of statements (M-3 to M-9). */
export class MetricComputer {
  readonly #parts: MetricParts;

  constructor(parts: MetricParts) {
    this.#parts = parts;
  }

  async compute(work: BlockWork, request: ComputeRequest): Promise<ComputeResult> {
    const { tx } = work;
    const { structureId, scenarioId, periodStart, periodEnd } = request;
    checkPeriod({ start: periodStart, end: periodEnd });
    const named = { operation: 'compute-metrics', structureId, scenarioId };
    const { scenario } = await findMetricStructure(tx, this.#parts, named);
    const entityId = await entityOf(tx, this.#parts.entities, request.entityId);
    const structure = await readMetricStructure(tx, this.#parts, structureId);
    if (structure.rules.length === 0) {
      // Otherwise the run would replace observed values by nothing (M-1).
      throw invalidInput(`compute-metrics rejected: '${structureId}' has no Derive rules. Use assert-metrics.`);
    }
    const plan = await this.#plan(work, structure);
    const currency = await this.#parts.balances.currency(tx);
    const run = inPresentationOrder(await this.#run(work, plan, { ...request, entityId, currency }), structure);
    const facts = run.computed.map((metric) => factOf(metric, { ...request, currency, scenarioName: scenario?.name }));
    const provenance = {
      origin: 'derived',
      computation: 'compute-metrics',
      source_fact_ids: [...new Set(run.computed.flatMap(({ sourceFactIds }) => sourceFactIds))].sort(),
    };
    const { userId, now } = work;
    const set = { structureId, entityId, periodStart, periodEnd, scenarioId, provenance, createdBy: userId, now };
    const { setId } = await this.#parts.facts.replaceMetricSet(tx, set, facts);
    return { entityId, factSetId: setId, ...run };
  }

  async #plan({ tx }: BlockWork, { presented, rules }: MetricStructure): Promise<MetricPlan> {
    const variables = rules.flatMap((rule) => rule.variables);
    const qnames = variables.flatMap(({ elementId, qname }) => (elementId === null && qname !== null ? qname : []));
    const idOfQname =
      qnames.length === 0 ? new Map<string, string>() : await this.#parts.structures.elementIdsByQname(tx, qnames);
    const idOf = ({ elementId, qname }: Rule['variables'][number]) => elementId ?? idOfQname.get(qname ?? '');
    const targetIds = rules.flatMap(({ target }) => (target?.kind === 'element' ? target.id : []));
    const ids = new Set([...targetIds, ...variables.flatMap((variable) => idOf(variable) ?? [])]);
    const elements: ReadonlyMap<string, ElementPart> =
      ids.size === 0 ? new Map() : await this.#parts.structures.elements(tx, [...ids]);
    return planMetrics(rules, {
      presented,
      elementOf: (variable) => elements.get(idOf(variable) ?? ''),
      elementById: (id) => elements.get(id),
    });
  }

  async #run(
    { tx }: BlockWork,
    plan: MetricPlan,
    request: ComputeRequest & { readonly entityId: string; readonly currency: string },
  ): Promise<MetricRun> {
    const { entityId, currency, scenarioId, structureId, periodStart, periodEnd } = request;
    const operands = plan.formulas.flatMap((formula) => formula.operands);
    const averaged = operands.flatMap(({ kind, element }) => (kind === 'average' ? (element?.id ?? []) : []));
    const of = { entityId, factsetTypes: operandSets, scenarioId };
    // The facts that this run replaces would make a repeated run depend on the first one.
    const except = { structureId, periodEnd };
    const within = periodStart === null ? { currency } : { currency, startingFrom: periodStart };
    const readNumbers = (ids: readonly string[], endingOn: readonly string[]): Promise<readonly FoundNumber[]> | [] =>
      ids.length === 0 || endingOn.length === 0
        ? []
        : this.#parts.facts.newestNumbers(tx, { ...of, ...within, elementIds: [...new Set(ids)], endingOn, except });
    const ending = await readNumbers(
      operands.flatMap(({ element }) => element?.id ?? []),
      [periodEnd],
    );
    const needsPrior = averaged.length > 0 && periodStart === null;
    const period: RunPeriod = {
      start: periodStart,
      end: periodEnd,
      priorReportEnd: needsPrior
        ? await this.#parts.facts.newestEndBefore(tx, { ...of, factsetTypes: ['report'], before: periodEnd })
        : undefined,
    };
    const opening = await readNumbers(averaged, averaged.length === 0 ? [] : beginDates(period, ending));
    const numbers = [...ending, ...opening];
    const binder = new OperandBinder({ period, currency, numbers, targets: plan.targetIds });
    return runMetrics(plan, binder, currency);
  }
}

function inPresentationOrder(run: MetricRun, { presented }: MetricStructure): MetricRun {
  const byId = new Map(presented.map(({ id }, index) => [id, index]));
  const byQname = new Map(presented.map(({ qname }, index) => [qname, index]));
  const last = presented.length;
  return {
    computed: [...run.computed].sort((a, b) => (byId.get(a.target.id) ?? last) - (byId.get(b.target.id) ?? last)),
    skipped: [...run.skipped].sort(
      (a, b) => (byQname.get(a.targetQname) ?? last) - (byQname.get(b.targetQname) ?? last),
    ),
  };
}

function factOf(
  metric: ComputedMetric,
  request: ComputeRequest & { readonly currency: string; readonly scenarioName: string | undefined },
): NewFact {
  const { target, value, unit, windowStart } = metric;
  const { periodStart, periodEnd, scenarioId, scenarioName, currency } = request;
  return {
    elementId: target.id,
    // The window of the operands may be shorter than the requested period (M-9).
    periodStart: target.periodType === 'instant' ? null : (windowStart ?? periodStart),
    periodEnd,
    periodType: target.periodType === 'instant' ? 'instant' : 'duration',
    value: value.toFixed(),
    unit,
    decimals: decimalsOf(target, value, currency),
    // In the analytical graph it distinguishes plans from actuals (F-15).
    ...(scenarioId === null
      ? {}
      : {
          members: [
            {
              dimensionType: 'scenario',
              axisElementId: null,
              value: scenarioId,
              displayName: scenarioName ?? scenarioId,
            },
          ],
        }),
  };
}
