import { type BlockWork, bareStructure, decimal, type NewFact } from '@pacioli/blocks';
import { invalidInput, type Transaction } from '@pacioli/core';
import { boundsOf } from '@pacioli/core/calendar';
import type { ElementPart } from '@pacioli/taxonomy';
import { decimalsOf, entityOf, unitOf } from '../metrics/index.ts';
import { StatementReader } from '../statements/index.ts';
import { type ForecastDefinition, horizonOf, type PlannedLine } from './definition.ts';
import { ForecastLines } from './forecast-lines.ts';
import { requireConcepts } from './line-concepts.ts';
import { expandLines, type LineRequest, type LineValues, requireWithin } from './planned-values.ts';
import type { ForecastServices } from './services.ts';
import { growthValues, lineValues, lockForecast, type StoredForecast, StoredForecasts } from './stored-forecasts.ts';

type Kind = ForecastDefinition['scenario_kind'];
type Anchor = ForecastDefinition['base_anchor'];

/** A forecast to create; absent fields have their defaults (reporting 10.1). */
export interface ForecastRequest {
  readonly name: string;
  readonly entityId: string | null;
  readonly scenarioKind: Kind;
  readonly baseAnchor: Anchor;
  readonly basePeriod: string | null;
  readonly horizonMonths: number;
  readonly levers: readonly LineRequest[];
  readonly assertions: readonly LineRequest[];
  readonly growth: readonly LineRequest[];
}

/** Absent fields stay as they are; a list replaces the earlier one. */
export type ForecastChange = { readonly structureId: string } & {
  readonly [K in keyof Omit<ForecastRequest, 'entityId'>]?: ForecastRequest[K] | undefined;
};

interface Lists {
  readonly levers: readonly LineValues[];
  readonly assertions: readonly LineValues[];
  readonly growth: readonly LineValues[];
}

type Settings = Omit<ForecastDefinition, 'levers' | 'line_assertions' | 'line_growth'>;

const maxNameChars = 255;
const maxHorizonMonths = 36;
const monthPattern = /^\d{4}-(0[1-9]|1[0-2])$/;
const afterEveryMonth = '9999-12-31';

/** Writes forecasts: the structure with its definition, and the facts of levers and assertions. */
export class ForecastWriter {
  readonly #use: ForecastServices;
  readonly #stored: StoredForecasts;

  constructor(use: ForecastServices) {
    this.#use = use;
    this.#stored = new StoredForecasts(use);
  }

  async create(work: BlockWork, request: ForecastRequest): Promise<string> {
    const { tx } = work;
    const name = nameOf(request.name);
    requireHorizon(request.horizonMonths);
    if (request.levers.length === 0) throw invalidInput('levers: give at least one.');
    const entityId = await entityOf(tx, this.#use.reportingEntities, request.entityId);
    const settings: Settings = {
      entity_id: entityId,
      scenario_kind: request.scenarioKind,
      base_anchor: request.baseAnchor,
      base_period: await this.#basePeriod(work, entityId, request.basePeriod),
      horizon_months: request.horizonMonths,
    };
    const horizon = horizonOf(settings);
    const lists: Lists = {
      levers: expandLines('levers', request.levers, horizon),
      assertions: expandLines('line_assertions', request.assertions, horizon),
      growth: expandLines('line_growth', request.growth, horizon),
    };
    const elements = await this.#elements(tx, lists);
    const definition = definitionFrom(settings, lists, elements);
    const taxonomy = { type: 'schedule', name: 'Forecasts', keeper: 'forecast' };
    const structureId = await this.#use.writes.create(
      tx,
      {
        taxonomyId: await this.#use.writes.ensureTaxonomy(tx, taxonomy, work),
        name,
        blockType: 'forecast',
        conceptArrangement: 'set',
        metadata: { forecast: definition },
        arcs: this.#arcs(definition),
      },
      work,
    );
    await this.#writeValues(work, structureId, definition, { lists, elements });
    return structureId;
  }

  /** Replaces what is given, without computing anything. */
  async update(work: BlockWork, change: ForecastChange): Promise<void> {
    const { tx } = work;
    const { structureId } = change;
    await lockForecast(tx, structureId);
    const forecast = await this.#require(tx, structureId);
    const { levers: _levers, line_assertions: _assertions, line_growth: _growth, ...earlier } = forecast.definition;
    const settings: Settings = {
      ...earlier,
      scenario_kind: change.scenarioKind ?? earlier.scenario_kind,
      base_anchor: change.baseAnchor ?? earlier.base_anchor,
      base_period: requireMonth(change.basePeriod ?? earlier.base_period),
      horizon_months: requireHorizon(change.horizonMonths ?? earlier.horizon_months),
    };
    if (change.levers?.length === 0) throw invalidInput('levers: give at least one.');
    const lists = changedLists(forecast, change, horizonOf(settings));
    const elements = await this.#elements(tx, lists);
    const definition = definitionFrom(settings, lists, elements);
    const patch = { metadata: { forecast: definition }, arcs: this.#arcs(definition), arcTypes: ['presentation'] };
    const name = change.name === undefined ? null : nameOf(change.name);
    await this.#use.writes.patch(tx, structureId, { ...patch, name }, work);
    const own = { scenario: { id: structureId }, structureIds: [structureId], factsetTypes: ['custom'] } as const;
    await this.#use.facts.deleteSets(tx, own);
    await this.#writeValues(work, structureId, definition, { lists, elements });
  }

  /** Deletes the forecast with everything of its scenario. */
  async remove({ tx }: BlockWork, structureId: string): Promise<void> {
    await lockForecast(tx, structureId);
    await this.#require(tx, structureId);
    await this.#use.facts.removeScenario(tx, structureId);
    await this.#use.writes.remove(tx, [structureId]);
  }

  async #require(tx: Transaction, structureId: string): Promise<StoredForecast> {
    const found = (await this.#stored.find(tx, [structureId])).get(structureId);
    if (found === undefined) throw bareStructure('Forecast', structureId);
    return found;
  }

  /** The given month, the last closed one, or that of the newest statement. */
  async #basePeriod({ tx, now }: BlockWork, entityId: string, given: string | null): Promise<string> {
    if (given !== null) return requireMonth(given);
    const closedThrough = (await this.#use.calendar.state(tx, now))?.closedThrough ?? null;
    if (closedThrough !== null) return closedThrough;
    const newest = await this.#use.facts.newestEndBefore(tx, {
      entityId,
      factsetTypes: ['report'],
      scenarioId: null,
      before: afterEveryMonth,
    });
    if (newest !== undefined) return newest.slice(0, 7);
    throw invalidInput('base_period: no month is closed and there is no report. Close a month, or give the month.');
  }

  /** The elements of all lists by qname; throws for those that a list cannot have. */
  async #elements(tx: Transaction, lists: Lists): Promise<ReadonlyMap<string, ElementPart>> {
    const { library, structures } = this.#use;
    const named = {
      levers: lists.levers.map(({ qname }) => qname),
      assertions: lists.assertions.map(({ qname }) => qname),
      growth: lists.growth.map(({ qname }) => qname),
    };
    const ids = await structures.elementIdsByQname(tx, [...named.levers, ...named.assertions, ...named.growth]);
    const parts = await structures.elements(tx, [...ids.values()]);
    const elements = new Map(
      [...ids].flatMap(([qname, id]) => {
        const part = parts.get(id);
        return part === undefined ? [] : [[qname, part] as const];
      }),
    );
    const { style, layout } = await new StatementReader(this.#use).style(tx);
    requireConcepts(named, {
      lines: new ForecastLines(style, layout),
      rules: (await this.#stored.driverRules(tx)).usable,
      elementOf: (qname) => elements.get(qname),
      catalogOf: (qname) => {
        const source = library.elementByQname(qname)?.source;
        return source === 'rs-driver' || source === 'rs-metric' ? source : undefined;
      },
    });
    return elements;
  }

  /** A presentation needs a parent: the heading of the driver catalog. */
  #arcs({ levers, line_assertions, line_growth }: ForecastDefinition) {
    const ids = [...levers, ...line_assertions, ...line_growth].map((line) => line.element_id);
    return [...new Set(ids)].map((toElementId, index) => ({
      fromElementId: this.#stored.headingId,
      toElementId,
      associationType: 'presentation',
      arcrole: 'http://www.xbrl.org/2003/arcrole/parent-child',
      order: index + 1,
    }));
  }

  async #writeValues(
    { tx, userId, now }: BlockWork,
    structureId: string,
    definition: ForecastDefinition,
    { lists, elements }: { readonly lists: Lists; readonly elements: ReadonlyMap<string, ElementPart> },
  ): Promise<void> {
    const horizon = horizonOf(definition);
    const currency = await this.#use.balances.currency(tx);
    const setId = await this.#use.facts.createSet(tx, {
      structureId,
      entityId: definition.entity_id,
      periodStart: boundsOf(horizon[0] ?? definition.base_period).start,
      periodEnd: boundsOf(horizon.at(-1) ?? definition.base_period).end,
      factsetType: 'custom',
      scenarioId: structureId,
      provenance: { origin: 'asserted', source_system: 'forecast', asserted_by: userId, basis_note: null },
      createdBy: userId,
      now,
    });
    const facts = [...lists.levers, ...lists.assertions].flatMap(({ qname, values }) => {
      const element = elements.get(qname);
      return element === undefined ? [] : factsOf(element, values, currency);
    });
    await this.#use.facts.addFacts(tx, setId, facts, now);
  }
}

/** The given lists, and those that stay, whose values must lie within the horizon. */
function changedLists(forecast: StoredForecast, change: ForecastChange, horizon: readonly string[]): Lists {
  const { definition, values } = forecast;
  const listOf = (name: string, given: readonly LineRequest[] | undefined, kept: readonly LineValues[]) => {
    if (given !== undefined) return expandLines(name, given, horizon);
    requireWithin(name, kept, horizon);
    return kept;
  };
  return {
    levers: listOf('levers', change.levers, lineValues(definition.levers, values)),
    assertions: listOf('line_assertions', change.assertions, lineValues(definition.line_assertions, values)),
    growth: listOf('line_growth', change.growth, definition.line_growth.map(growthValues)),
  };
}

function definitionFrom(
  settings: Settings,
  lists: Lists,
  elements: ReadonlyMap<string, ElementPart>,
): ForecastDefinition {
  const lineOf = ({ qname }: LineValues): PlannedLine => {
    const element = elements.get(qname);
    if (element === undefined) throw new Error(`The concept ${qname} was checked and is missing.`);
    const { id, itemType, periodType } = element;
    return {
      qname,
      element_id: id,
      item_type: itemType,
      period_type: periodTypeOf(periodType),
    };
  };
  return {
    ...settings,
    levers: lists.levers.map(lineOf),
    line_assertions: lists.assertions.map(lineOf),
    line_growth: lists.growth.map((line) => ({ ...lineOf(line), values_by_period: Object.fromEntries(line.values) })),
  };
}

function periodTypeOf(periodType: string | null): 'instant' | 'duration' {
  return periodType === 'instant' ? 'instant' : 'duration';
}

function factsOf(element: ElementPart, values: ReadonlyMap<string, string>, currency: string): readonly NewFact[] {
  return [...values].map(([month, value]) => ({
    elementId: element.id,
    periodStart: boundsOf(month).start,
    periodEnd: boundsOf(month).end,
    periodType: periodTypeOf(element.periodType),
    value,
    unit: unitOf(element, currency),
    decimals: decimalsOf(element, decimal(value), currency),
  }));
}

function nameOf(given: string): string {
  const name = given.trim();
  if (name === '' || name.length > maxNameChars) throw invalidInput(`name: give 1 to ${maxNameChars} characters.`);
  return name;
}

function requireHorizon(months: number): number {
  if (Number.isInteger(months) && months >= 1 && months <= maxHorizonMonths) return months;
  throw invalidInput(`horizon_months: give 1 to ${maxHorizonMonths}, not ${months}.`);
}

function requireMonth(month: string): string {
  if (monthPattern.test(month) && month >= '1900-01' && month <= '2900-12') return month;
  throw invalidInput(`base_period: '${month}' is not a month (YYYY-MM).`);
}
