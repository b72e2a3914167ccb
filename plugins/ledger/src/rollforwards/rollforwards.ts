import { invalidInput, notFound, type Transaction } from '@pacioli/core';
import type {
  ChartOfAccounts,
  LibraryReads,
  Mappings,
  StructureAuthor,
  StructureParts,
  StructureWrites,
} from '@pacioli/taxonomy';
import { type Balances, foreignLinesFinding } from '../balances/index.ts';
import { requireHome, type StructureHomes } from '../schedules/index.ts';
import { exactMinor, isCalendarDate } from '../values/index.ts';
import {
  type AttributionFilter,
  type Rollforward,
  type RollforwardDefinition,
  type RollforwardReads,
  rollForward,
  rollforwardOf,
  type ValidationMode,
} from './rollforward.ts';
import { rollforwardSums } from './rollforward-sums.ts';

/** A filter as a caller gives it. */
export interface FilterRequest {
  readonly target_qname: string;
  readonly predicate: { readonly field?: string; readonly values: readonly string[] };
}

export interface RollforwardRequest {
  readonly name: string;
  readonly sourceQname: string;
  readonly defaultTagQname: string | null;
  readonly filters: readonly FilterRequest[];
  readonly validationMode: ValidationMode;
  readonly taxonomyId: string | null;
}

/** The fields to change; null leaves a field as it is. */
export interface RollforwardChange {
  readonly structureId: string;
  readonly name: string | null;
  readonly defaultTagQname: string | null;
  readonly filters: readonly FilterRequest[] | null;
  readonly validationMode: ValidationMode | null;
}

export interface RollforwardParts {
  readonly library: LibraryReads;
  readonly structures: StructureWrites;
  readonly parts: StructureParts;
  readonly chart: ChartOfAccounts;
  readonly mappings: Mappings;
  readonly balances: Balances;
}

type Work = StructureAuthor & { readonly tx: Transaction };

const rollforwardHomes: StructureHomes = { kind: 'roll-forward', types: ['schedule', 'reporting_extension'] };

/** Limits: filters of one block, and values of one filter. */
const maxFilters = 200;
const maxValues = 1_000;

/** Explains how a balance changed by the flows that its lines are tagged with (reporting 2.6). */
export class Rollforwards implements RollforwardReads {
  readonly #parts: RollforwardParts;

  constructor(parts: RollforwardParts) {
    this.#parts = parts;
  }

  /** Creates the block and returns its id (reporting B-35). */
  async create(work: Work, request: RollforwardRequest): Promise<string> {
    const { structures } = this.#parts;
    const source = await this.#parts.library.element(work.tx, { qname: request.sourceQname });
    if (source === undefined) throw unknown('bs_source_qname', request.sourceQname);
    if (source.is_abstract || source.period_type !== 'instant')
      throw invalidInput(
        `bs_source_qname: ${request.sourceQname} is not a balance; an instant, non-abstract element is required.`,
      );
    const definition: RollforwardDefinition = {
      kind: 'rollforward',
      bs_source_element_id: source.id,
      bs_source_qname: request.sourceQname,
      ...(await this.#defaultTag(work.tx, request.defaultTagQname)),
      attribution_filters: await this.#filters(work.tx, request.filters),
      validation_mode: request.validationMode,
    };
    // Not the taxonomy of its source: charts and the library cannot hold roll-forwards (taxonomy 1.6).
    const taxonomyId =
      request.taxonomyId === null
        ? await structures.ensureTaxonomy(
            work.tx,
            { type: 'schedule', name: 'Roll-forwards', keeper: 'rollforward' },
            work,
          )
        : await requireHome(structures, work.tx, request.taxonomyId, rollforwardHomes);
    return structures.create(
      work.tx,
      {
        taxonomyId,
        name: request.name,
        blockType: 'rollforward',
        conceptArrangement: 'roll_forward',
        metadata: { rollforward: definition },
        arcs: arcsOf(definition),
      },
      work,
    );
  }

  /** Changes the given fields; the source never changes. */
  async update(work: Work, change: RollforwardChange): Promise<void> {
    const before = await this.#require(work.tx, change.structureId);
    const definition: RollforwardDefinition = {
      ...before,
      ...(change.defaultTagQname === null ? {} : await this.#defaultTag(work.tx, change.defaultTagQname)),
      attribution_filters:
        change.filters === null ? before.attribution_filters : await this.#filters(work.tx, change.filters),
      validation_mode: change.validationMode ?? before.validation_mode,
    };
    const arcs = { arcs: arcsOf(definition), arcTypes: ['presentation'] };
    const patch = { name: change.name, metadata: { rollforward: definition }, ...arcs };
    await this.#parts.structures.patch(work.tx, change.structureId, patch, work);
  }

  /** Deletes the block; ledger lines stay (reporting B-39). */
  async remove(tx: Transaction, structureId: string): Promise<void> {
    await this.#parts.structures.remove(tx, [structureId]);
  }

  /** The definitions by structure id; other structures are absent. */
  async definitions(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, RollforwardDefinition>> {
    const found = await this.#parts.parts.find(tx, ids);
    return new Map(
      [...found].flatMap(([id, { metadata }]) => {
        const definition = rollforwardOf(metadata);
        return definition === undefined ? [] : [[id, definition]];
      }),
    );
  }

  async evaluate(
    tx: Transaction,
    request: { readonly structureId: string; readonly periodStart: string; readonly periodEnd: string },
  ): Promise<Rollforward> {
    const { periodStart: start, periodEnd: end } = request;
    if (!isCalendarDate(start) || !isCalendarDate(end) || end < start)
      throw invalidInput('period_end: two calendar dates are required, and the end must not be before the start.');
    const definition = await this.#require(tx, request.structureId);
    const accountIds = await this.#accountsOf(tx, definition.bs_source_element_id);
    const currency = await this.#parts.balances.currency(tx);
    const filters = await this.#withElements(tx, definition.attribution_filters);
    const sums = await rollforwardSums(tx, { accountIds, currency, start, end }, filters);
    const explained = rollForward(definition, sums);
    // No change is explained in full while lines are left out (ledger L-5a).
    const foreign = foreignLinesFinding(await this.#parts.balances.foreign(tx, accountIds, { start, end }), currency);
    const diagnostics = [explained.diagnostic, foreign].filter((text) => text != null);
    const result = { ...explained, diagnostic: diagnostics.length === 0 ? null : diagnostics.join(' ') };
    if (definition.validation_mode === 'strict' && result.diagnostic !== null) {
      const { delta, matched, residual } = result;
      throw invalidInput(result.diagnostic, {
        delta: exactMinor(delta, 'The change of the balance'),
        matched: exactMinor(matched, 'The amount that the flows explain'),
        residual: exactMinor(residual, 'The residual of the change'),
      });
    }
    return result;
  }

  async #require(tx: Transaction, id: string): Promise<RollforwardDefinition> {
    const definition = (await this.definitions(tx, [id])).get(id);
    if (definition === undefined) throw notFound(`Roll-forward not found: ${id}`);
    return definition;
  }

  /** Adds the ids of the elements that values name: a line may be tagged with an element's id (reporting B-36). */
  async #withElements(tx: Transaction, filters: readonly AttributionFilter[]): Promise<readonly AttributionFilter[]> {
    const qnames = [...new Set(filters.flatMap(({ predicate }) => predicate.values))];
    const ids = await this.#parts.parts.elementIdsByQname(tx, qnames);
    return filters.map((filter) => {
      const { predicate } = filter;
      const values = [...predicate.values, ...predicate.values.flatMap((value) => ids.get(value) ?? [])];
      return { ...filter, predicate: { ...predicate, values } };
    });
  }

  /** The account itself, or all accounts that are mapped to a reporting concept (reporting B-38). */
  async #accountsOf(tx: Transaction, elementId: string): Promise<readonly string[]> {
    if ((await this.#parts.chart.find(tx, [elementId])).has(elementId)) return [elementId];
    const mappingId = await this.#parts.mappings.bookMappingId(tx);
    const mapping = mappingId === undefined ? undefined : await this.#parts.mappings.concepts(tx, mappingId);
    return (mapping?.arcs ?? []).flatMap((arc) => (arc.concept.id === elementId ? [arc.accountId] : []));
  }

  async #defaultTag(
    tx: Transaction,
    qname: string | null,
  ): Promise<Pick<RollforwardDefinition, 'default_change_tag_element_id' | 'default_change_tag_qname'>> {
    if (qname === null) return { default_change_tag_element_id: null, default_change_tag_qname: null };
    const element = await this.#parts.library.element(tx, { qname });
    if (element === undefined) throw unknown('default_change_tag_qname', qname);
    return { default_change_tag_element_id: element.id, default_change_tag_qname: qname };
  }

  async #filters(tx: Transaction, given: readonly FilterRequest[]): Promise<readonly AttributionFilter[]> {
    if (given.length > maxFilters) throw invalidInput(`attribution_filters: at most ${maxFilters} are allowed.`);
    const ids = await this.#parts.parts.elementIdsByQname(tx, [...new Set(given.map((filter) => filter.target_qname))]);
    return given.map(({ target_qname, predicate }, index) => {
      const path = `attribution_filters.${index}`;
      const targetElementId = ids.get(target_qname);
      if (targetElementId === undefined) throw unknown(`${path}.target_qname`, target_qname);
      if (predicate.values.length === 0 || predicate.values.length > maxValues)
        throw invalidInput(`${path}.predicate.values: 1 to ${maxValues} values are required.`);
      const field = predicate.field ?? 'transaction_description_code';
      return {
        target_qname,
        target_element_id: targetElementId,
        predicate: { kind: 'line_item_metadata_field', field, values: predicate.values },
      };
    });
  }
}

/** From the balance to each of its flows, so that the block shows them. */
function arcsOf(definition: RollforwardDefinition) {
  const flows = [
    ...definition.attribution_filters.map((filter) => filter.target_element_id),
    ...(definition.default_change_tag_element_id === null ? [] : [definition.default_change_tag_element_id]),
  ];
  return [...new Set(flows)]
    .filter((id) => id !== definition.bs_source_element_id)
    .map((toElementId, index) => ({
      fromElementId: definition.bs_source_element_id,
      toElementId,
      associationType: 'presentation',
      order: index + 1,
    }));
}

function unknown(field: string, qname: string) {
  return invalidInput(`${field}: no element '${qname}' was found in this graph or the library.`);
}
