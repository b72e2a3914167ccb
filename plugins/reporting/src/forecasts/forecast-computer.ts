import type { BlockWork, StoredFactSet } from '@pacioli/blocks';
import { invalidInput, type Transaction } from '@pacioli/core';
import { boundsOf, plusMonths } from '@pacioli/core/calendar';
import { minorDigits } from '@pacioli/ledger';
import type { StyleStatements } from '@pacioli/taxonomy';
import { entityOf } from '../metrics/index.ts';
import { type ColumnValues, type Layout, StatementReader } from '../statements/index.ts';
import { ActualMonths, type ActualValues } from './actual-months.ts';
import { horizonOf } from './definition.ts';
import { minorOf } from './exact-amounts.ts';
import { ForecastLines } from './forecast-lines.ts';
import { monthFacts, requireStorable, type Verdict, verdict } from './month-facts.ts';
import type { ForecastServices } from './services.ts';
import { lockForecast, type StoredForecast, StoredForecasts } from './stored-forecasts.ts';
import { walkForecast } from './walk.ts';
import type { ForecastMonth, SkippedStep } from './walk-input.ts';
import { movementsOf, walkInput } from './walk-reader.ts';

export interface ComputeForecastRequest {
  readonly structureId: string;
  /** The whole horizon if null. */
  readonly months: number | null;
  /** The entity of the forecast if null. */
  readonly entityId: string | null;
}

/** A month as it was written and checked. */
export interface WrittenMonth extends Verdict {
  readonly period: string;
  readonly start: string;
  readonly end: string;
  readonly incomeSetId: string;
  readonly balanceSetId: string;
  readonly cashFlowSetId: string | null;
  readonly factCount: number;
}

export interface ComputedForecast {
  readonly entityId: string;
  readonly basePeriod: string;
  readonly anchorPeriod: string;
  readonly months: number;
  readonly written: readonly WrittenMonth[];
  readonly haltedAt: string | null;
  readonly skipped: readonly SkippedStep[];
  readonly diagnostics: readonly string[];
}

interface Run {
  readonly work: BlockWork;
  readonly forecast: StoredForecast;
  readonly entityId: string;
  readonly style: StyleStatements;
  readonly layout: Layout;
  readonly currency: string;
  readonly actual: ActualMonths;
  /** The month from which the walk starts. */
  readonly anchor: string;
  readonly months: readonly string[];
}

/** Computes the months of a forecast and replaces its scenario (reporting 10.3). */
export class ForecastComputer {
  readonly #use: ForecastServices;
  readonly #stored: StoredForecasts;

  constructor(use: ForecastServices) {
    this.#use = use;
    this.#stored = new StoredForecasts(use);
  }

  async compute(work: BlockWork, request: ComputeForecastRequest): Promise<ComputedForecast> {
    const { tx } = work;
    const forecast = await this.#forecast(tx, request.structureId);
    const run = await this.#prepare(work, forecast, request);
    const walked = run.months.length === 0 ? nothingLeft : walkForecast(await this.#input(run));
    await this.#deleteSets(run, obsoleteBefore(run));
    const { written, haltedAt } = await this.#write(run, walked.months);
    await this.#deleteSets(run, obsoleteAfter(run, written));
    const isReached = (period: string): boolean => haltedAt === null || period <= haltedAt;
    return {
      entityId: run.entityId,
      basePeriod: forecast.definition.base_period,
      anchorPeriod: run.anchor,
      months: request.months ?? forecast.definition.horizon_months,
      written,
      haltedAt,
      skipped: walked.skipped.filter(({ period }) => isReached(period)),
      diagnostics: [...walked.diagnostics, ...this.#diagnostics(run)],
    };
  }

  /** The forecast, locked against other writers. */
  async #forecast(tx: Transaction, structureId: string): Promise<StoredForecast> {
    const structure = (await this.#use.structures.find(tx, [structureId])).get(structureId);
    if (structure === undefined) throw invalidInput(`Structure not found: ${structureId}`);
    if (structure.blockType !== 'forecast') {
      throw invalidInput(
        `compute-forecast targets a block_type='forecast' structure; '${structureId}' is '${structure.blockType}'`,
      );
    }
    await lockForecast(tx, structureId);
    const forecast = (await this.#stored.find(tx, [structureId])).get(structureId);
    if (forecast === undefined || forecast.values.size === 0) {
      throw invalidInput(`Forecast '${structureId}' has no lever set. Create it with create-information-block.`);
    }
    return forecast;
  }

  async #prepare(work: BlockWork, forecast: StoredForecast, request: ComputeForecastRequest): Promise<Run> {
    const { tx } = work;
    const { definition } = forecast;
    const count = request.months ?? definition.horizon_months;
    if (count < 1 || count > definition.horizon_months) {
      throw invalidInput(`months: give 1 to ${definition.horizon_months}, the horizon of the forecast, not ${count}.`);
    }
    const entityId = await entityOf(tx, this.#use.reportingEntities, request.entityId ?? definition.entity_id);
    const { style, layout } = await new StatementReader(this.#use).style(tx);
    const actual = await ActualMonths.read(tx, this.#use.facts, { style, entityId });
    if (!actual.hasIncome) {
      throw invalidInput('There is no actual income statement. Close a month or create a report first.');
    }
    const anchor = anchorOf(forecast, actual);
    if (actual.month(anchor).income === undefined) {
      throw invalidInput(`No actual income statement at the base period ${anchor}. Close the month, or report it.`);
    }
    const months = horizonOf(definition)
      .slice(0, count)
      .filter((month) => month > anchor);
    const currency = await this.#use.balances.currency(tx);
    return { work, forecast, entityId, style, layout, currency, actual, anchor, months };
  }

  async #input({ work: { tx }, forecast, style, layout, currency, actual, anchor, months }: Run) {
    const { mappings, movements } = this.#use;
    const { income, balances } = actual.month(anchor);
    const values = await actual.values(tx, [income, balances]);
    const minor = (set: StoredFactSet | undefined): ColumnValues | undefined =>
      set === undefined ? undefined : inMinor(values.get(set.id) ?? new Map(), currency);
    const mappingId = await mappings.bookMappingId(tx);
    const mapping = mappingId === undefined ? undefined : await mappings.concepts(tx, mappingId);
    const window = { anchor, last: months.at(-1) ?? anchor, currency };
    return walkInput({
      forecast,
      layout,
      lines: new ForecastLines(style, layout),
      digits: minorDigits(currency),
      anchor: { period: anchor, income: minor(income) ?? new Map(), balances: minor(balances) },
      months,
      rules: await this.#stored.driverRules(tx),
      isDriver: (qname) => this.#stored.isDriver(qname),
      movements: movementsOf(layout, mapping?.arcs ?? [], await movements.between(tx, window)),
    });
  }

  /** Writes and checks one month after the other, and stops after the first that fails its rules. */
  async #write(
    run: Run,
    months: readonly ForecastMonth[],
  ): Promise<{ readonly written: readonly WrittenMonth[]; readonly haltedAt: string | null }> {
    const written: WrittenMonth[] = [];
    for (const [index, month] of months.entries()) {
      const done = await this.#writeMonth(run, month, index + 1);
      written.push(done);
      if (done.isPassed === false) return { written, haltedAt: month.period };
    }
    return { written, haltedAt: null };
  }

  async #writeMonth(run: Run, month: ForecastMonth, monthIndex: number): Promise<WrittenMonth> {
    const { work, forecast, entityId, style, anchor } = run;
    const { tx, userId, now } = work;
    const { start, end } = boundsOf(month.period);
    const provenance = {
      origin: 'forecast',
      scenario_structure_id: forecast.id,
      base_period: anchor,
      month_index: monthIndex,
      drivers: forecast.definition.levers.map(({ qname }) => qname).toSorted(),
    };
    const stated = [
      { structure: style.incomeStatement, values: month.income, own: month.own.income },
      { structure: style.balanceSheet, values: month.balances, own: month.own.balances },
      ...(month.cashFlow === undefined
        ? []
        : [{ structure: style.cashFlowStatement, values: month.cashFlow, own: new Map<string, bigint>() }]),
    ];
    for (const { structure, values } of stated) {
      requireStorable(structure, values, { period: month.period, currency: run.currency });
    }
    const statements = stated.map(({ structure, ...amounts }) => ({
      set: {
        structureId: structure.structureId,
        entityId,
        periodStart: start,
        periodEnd: end,
        scenarioId: forecast.id,
        provenance,
        createdBy: userId,
      },
      facts: monthFacts(structure, amounts, { start, end, currency: run.currency, forecast }),
    }));
    const [incomeSetId = '', balanceSetId = '', cashFlowSetId = null] = await this.#use.facts.replaceMonthSets(
      tx,
      statements,
      now,
    );
    const ids = [incomeSetId, balanceSetId, ...(cashFlowSetId === null ? [] : [cashFlowSetId])];
    const { results } = await this.#use.engine.evaluate(tx, {
      structureIds: statements.map(({ set }) => set.structureId),
      factSetIds: new Map(statements.map(({ set }, at) => [set.structureId, ids[at] ?? ''])),
      replacesEarlier: true,
      userId,
      now,
    });
    const factCount = statements.reduce((sum, { facts }) => sum + facts.length, 0);
    return {
      period: month.period,
      start,
      end,
      incomeSetId,
      balanceSetId,
      cashFlowSetId,
      factCount,
      ...verdict(results),
    };
  }

  /** Deletes the sets of the scenario that match. */
  async #deleteSets({ work: { tx }, forecast }: Run, isObsolete: (set: StoredFactSet) => boolean): Promise<void> {
    const scenario = { id: forecast.id };
    const found = await this.#use.facts.sets(tx, { scenario, factsetTypes: ['report', 'metric'] });
    const factSetIds = found.filter(isObsolete).map(({ id }) => id);
    if (factSetIds.length > 0) await this.#use.facts.deleteSets(tx, { scenario, factSetIds });
  }

  /** Says that no month is left to compute, or names assumed lines that the style lacks, such as after a change of it. */
  #diagnostics({ forecast: { definition }, style, layout, months }: Run): readonly string[] {
    if (months.length === 0) return ['every month of the horizon is closed'];
    const lines = new ForecastLines(style, layout);
    return [...definition.line_assertions, ...definition.line_growth]
      .filter(({ qname }) => !lines.isLine(qname))
      .map(({ qname }) => `${qname} is not a line of the income statement or balance sheet`);
  }
}

/**
 * Tells the sets to delete before the months are written: those of an earlier run that this one does not replace, for
 * example because their month is closed by now or their structure is of another style. Otherwise the rules of a month would take its
 * opening balances from them.
 */
function obsoleteBefore({ style, months }: Run): (set: StoredFactSet) => boolean {
  const written = [style.incomeStatement, style.balanceSheet, style.cashFlowStatement];
  const structureIds = new Set(written.map(({ structureId }) => structureId));
  const ends = new Set(months.map((month) => boundsOf(month).end));
  return ({ factsetType, structureId, periodEnd }) =>
    factsetType === 'report' && (!structureIds.has(structureId ?? '') || !ends.has(periodEnd));
}

/** Tells the sets to delete afterwards: months after the last written one, and metrics outside of the months. */
function obsoleteAfter({ anchor, months }: Run, written: readonly WrittenMonth[]): (set: StoredFactSet) => boolean {
  const keptIds = new Set(
    written.flatMap(({ incomeSetId, balanceSetId, cashFlowSetId }) => [incomeSetId, balanceSetId, cashFlowSetId]),
  );
  const [first, last] = [boundsOf(anchor).end, boundsOf(written.at(-1)?.period ?? months.at(-1) ?? anchor).end];
  return ({ id, factsetType, periodEnd }) =>
    factsetType === 'report' ? !keptIds.has(id) : periodEnd <= first || periodEnd > last;
}

const nothingLeft = { months: [], skipped: [], diagnostics: [] };

/** The newest month of the horizon that was closed, unless the anchor is fixed. */
function anchorOf({ definition }: StoredForecast, actual: ActualMonths): string {
  const base = definition.base_period;
  if (definition.base_anchor === 'fixed') return base;
  const hasBalances = actual.month(base).balances !== undefined;
  const end = plusMonths(base, definition.horizon_months);
  const found = actual.closed.filter((month) => {
    if (month <= base || month > end) return false;
    return !hasBalances || actual.month(month, 'closed').balances !== undefined;
  });
  return found.at(-1) ?? base;
}

function inMinor(values: ActualValues, currency: string): ColumnValues {
  const digits = minorDigits(currency);
  return new Map([...values].map(([qname, value]) => [qname, minorOf(value, digits)]));
}
