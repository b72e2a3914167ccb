import type { BlockWork, NewFact } from '@pacioli/blocks';
import { invalidInput } from '@pacioli/core';
import type { ElementPart, LibraryCatalog } from '@pacioli/taxonomy';
import { type Decimal, decimalsOf, observedNumber, unitOf } from './metric-numbers.ts';
import {
  checkPeriod,
  entityOf,
  findMetricStructure,
  type MetricParts,
  type MetricStructure,
  readMetricStructure,
} from './metric-structure.ts';

export interface AssertRequest {
  readonly structureId: string;
  readonly periodStart: string | null;
  readonly periodEnd: string;
  /** Null for the default reporting entity. */
  readonly entityId: string | null;
  readonly sourceSystem: string;
  readonly basisNote: string | null;
  readonly observations: readonly { readonly qname: string; readonly value: number }[];
}

/** An observed value as it is stored. */
export interface AssertedMetric {
  readonly element: ElementPart;
  readonly value: Decimal;
  readonly unit: string;
}

export interface AssertResult {
  readonly entityId: string;
  readonly factSetId: string;
  /** In presentation order. */
  readonly asserted: readonly AssertedMetric[];
  readonly isReplaced: boolean;
}

const maxObservations = 1_000;

/** The sources of catalogs whose concepts are computed or are levers of forecasts (M-10). */
const blockedSources: ReadonlySet<string> = new Set(['rs-metric', 'rs-driver']);

/** Stores observed values in the standing set of a metric block (M-10). */
export class MetricAsserter {
  readonly #parts: MetricParts & { readonly library: LibraryCatalog };

  constructor(parts: MetricParts & { readonly library: LibraryCatalog }) {
    this.#parts = parts;
  }

  async assert(work: BlockWork, request: AssertRequest): Promise<AssertResult> {
    const { tx, userId, now } = work;
    const { structureId, periodStart, periodEnd } = request;
    checkPeriod({ start: periodStart, end: periodEnd });
    await findMetricStructure(tx, this.#parts, { operation: 'assert-metrics', structureId, scenarioId: null });
    const entityId = await entityOf(tx, this.#parts.entities, request.entityId);
    const structure = await readMetricStructure(tx, this.#parts, structureId);
    if (structure.rules.length > 0) {
      const message = `assert-metrics rejected: '${structureId}' has Derive rules and is compute-owned. Use compute-metrics.`;
      throw invalidInput(message);
    }
    if (request.observations.length === 0) throw invalidInput('assert-metrics rejected: observations is empty.');
    const currency = await this.#parts.balances.currency(tx);
    const asserted = await this.#asserted(work, structure, { ...request, currency });
    const provenance = {
      origin: 'asserted',
      source_system: request.sourceSystem,
      asserted_by: userId,
      basis_note: request.basisNote,
    };
    const set = { structureId, entityId, periodStart, periodEnd, scenarioId: null, provenance, createdBy: userId, now };
    const facts = asserted.map((metric) => factOf(metric, { ...request, currency }));
    const { setId, isReplaced } = await this.#parts.facts.replaceMetricSet(tx, set, facts);
    if (setId === null) throw new Error('Asserted metrics were written without a set.');
    return { entityId, factSetId: setId, asserted, isReplaced };
  }

  async #asserted(
    { tx }: BlockWork,
    { presented }: MetricStructure,
    { observations, currency }: AssertRequest & { readonly currency: string },
  ): Promise<readonly AssertedMetric[]> {
    // The checks of a request above the limit stay as cheap as those of the largest allowed one.
    const checked = observations.slice(0, maxObservations);
    const counts = countsOf(checked.map(({ qname }) => qname));
    const qnames = [...counts.keys()];
    const ids = await this.#parts.structures.elementIdsByQname(tx, qnames);
    const elements = await this.#parts.structures.elements(tx, [...ids.values()]);
    const elementOf = (qname: string): ElementPart | undefined => elements.get(ids.get(qname) ?? '');
    const values = new Map(checked.map(({ qname, value }) => [qname, observedNumber(value)]));
    const places = new Map(presented.map(({ id }, index) => [id, index]));
    const known = qnames.filter((qname) => elementOf(qname) !== undefined);
    const isBlocked = (qname: string): boolean =>
      blockedSources.has(this.#parts.library.elementById(ids.get(qname) ?? '')?.source ?? '');
    const excess = observations.length > checked.length ? [`${observations.length} of at most ${maxObservations}`] : [];
    refuse([
      ['too many observations', excess],
      ['unknown qname(s)', qnames.filter((qname) => elementOf(qname) === undefined)],
      ['abstract concept(s) cannot carry facts', known.filter((qname) => elementOf(qname)?.isAbstract === true)],
      ['blocked concept(s)', known.filter(isBlocked)],
      [
        "concept(s) not on the structure's presentation catalog",
        known.filter((qname) => elementOf(qname)?.isAbstract === false && !places.has(ids.get(qname) ?? '')),
      ],
      ['duplicate qname(s)', qnames.filter((qname) => (counts.get(qname) ?? 0) > 1)],
      [`value(s) beyond ±${Number.MAX_SAFE_INTEGER}`, qnames.filter((qname) => values.get(qname) === undefined)],
    ]);
    return qnames
      .flatMap((qname): readonly AssertedMetric[] => {
        const [element, value] = [elementOf(qname), values.get(qname)];
        return element === undefined || value === undefined
          ? []
          : [{ element, value, unit: unitOf(element, currency) }];
      })
      .sort((a, b) => (places.get(a.element.id) ?? 0) - (places.get(b.element.id) ?? 0));
  }
}

/** Throws one error that names all problems (M-10). */
function refuse(problems: readonly (readonly [problem: string, entries: readonly string[]])[]): void {
  const present = problems.filter(([, entries]) => entries.length > 0);
  if (present.length === 0) return;
  const texts = present.map(([problem, entries]) => `${problem}: [${entries.join(', ')}]`);
  throw invalidInput(`assert-metrics rejected: ${texts.join('; ')}`);
}

function factOf(
  { element, value, unit }: AssertedMetric,
  request: AssertRequest & { readonly currency: string },
): NewFact {
  const isInstant = element.periodType === 'instant';
  return {
    elementId: element.id,
    periodStart: isInstant ? null : request.periodStart,
    periodEnd: request.periodEnd,
    periodType: isInstant ? 'instant' : 'duration',
    value: value.toFixed(),
    unit,
    decimals: decimalsOf(element, value, request.currency),
  };
}

function countsOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
