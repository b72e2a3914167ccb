import {
  type BlockView,
  blockViewers,
  decimal,
  forecastLabel,
  type RenderingRow,
  type ViewSubject,
} from '@pacioli/blocks';
import { type Contribution, contribute, type Transaction } from '@pacioli/core';
import { boundsOf, plusMonths } from '@pacioli/core/calendar';
import { type Decimal, storedNumber } from '../metrics/index.ts';
import { StatementReader } from '../statements/index.ts';
import { ActualMonths, type ActualValues } from './actual-months.ts';
import { horizonOf, type PlannedLine } from './definition.ts';
import { type DriverRule, realizedDriver } from './driver-rules.ts';
import { type ForecastServices, forecastServices } from './services.ts';
import { growthValues, lineValues, type StoredForecast, StoredForecasts } from './stored-forecasts.ts';

/** Closed months before the horizon that a block shows, the newest ones. */
const maxClosedMonths = 36;

/** Draws levers, assertions and growth by month; closed months show what was realized. */
export const forecastViewer: Contribution = contribute(blockViewers, 'forecast', {
  services: forecastServices,
  create: (use) => ({ draw: (tx, subjects) => drawForecasts(tx, use, subjects) }),
});

async function drawForecasts(
  tx: Transaction,
  use: ForecastServices,
  subjects: readonly ViewSubject[],
): Promise<ReadonlyMap<string, BlockView>> {
  const stored = new StoredForecasts(use);
  const forecasts = await stored.of(
    tx,
    subjects.map(({ structure }) => structure),
  );
  if (forecasts.size === 0) return new Map();
  const rules = (await stored.driverRules(tx)).usable;
  const { style } = await new StatementReader(use).style(tx);
  const entityIds = [...new Set([...forecasts.values()].map(({ definition }) => definition.entity_id))];
  const histories = new Map<string, History>();
  for (const entityId of entityIds) {
    histories.set(entityId, await readHistory(tx, await ActualMonths.read(tx, use.facts, { style, entityId })));
  }
  return new Map(
    subjects.flatMap((subject): [string, BlockView][] => {
      const forecast = forecasts.get(subject.structure.id);
      const history = forecast === undefined ? undefined : histories.get(forecast.definition.entity_id);
      if (forecast === undefined || history === undefined) return [];
      const drawing = new ForecastDrawing({ subject, forecast, history, rules, isDriver: (q) => stored.isDriver(q) });
      return [[subject.structure.id, drawing.view()]];
    }),
  );
}

/** The values of closed months, `YYYY-MM`, of all three statements. */
interface History {
  readonly months: readonly string[];
  readonly values: ReadonlyMap<string, ActualValues>;
}

async function readHistory(tx: Transaction, actual: ActualMonths): Promise<History> {
  const months = actual.closed.slice(-2 * maxClosedMonths);
  const sets = months.map((month) => actual.month(month, 'closed'));
  const values = await actual.values(
    tx,
    sets.flatMap(({ income, balances, cashFlow }) => [income, balances, cashFlow]),
  );
  return {
    months,
    values: new Map(
      sets.map(({ period, income, balances, cashFlow }): [string, ActualValues] => [
        period,
        // Net income is on two statements with one value.
        new Map([cashFlow, balances, income].flatMap((set) => [...(values.get(set?.id ?? '') ?? [])])),
      ]),
    ),
  };
}

interface DrawingParts {
  readonly subject: ViewSubject;
  readonly forecast: StoredForecast;
  readonly history: History;
  readonly rules: readonly DriverRule[];
  isDriver(qname: string): boolean;
}

class ForecastDrawing {
  readonly #parts: DrawingParts;
  readonly #horizon: readonly string[];
  readonly #columns: readonly string[];

  constructor(parts: DrawingParts) {
    const { forecast, history } = parts;
    this.#parts = parts;
    this.#horizon = horizonOf(forecast.definition);
    const end = this.#horizon.at(-1) ?? '';
    const before = history.months.filter((month) => month <= forecast.definition.base_period).slice(-maxClosedMonths);
    const within = history.months.filter((month) => month > forecast.definition.base_period && month <= end);
    this.#columns = [...new Set([...before, ...within, ...this.#horizon])].toSorted();
  }

  view(): BlockView {
    const { definition, values } = this.#parts.forecast;
    const rows = [
      ...lineValues(definition.levers, values).map((line) =>
        this.#row(line, line.values, (month) => this.#driver(line.qname, month)),
      ),
      ...lineValues(definition.line_assertions, values).map((line) =>
        this.#row(line, line.values, (month) => this.#actual(line.qname, month)),
      ),
      ...definition.line_growth.map((line) =>
        this.#row({ ...line, item_type: 'percent' }, growthValues(line).values, (month) =>
          this.#growth(line.qname, month),
        ),
      ),
    ];
    const periods = this.#columns.map((month) => {
      const isForecast = !this.#isClosed(month);
      return {
        ...boundsOf(month),
        label: isForecast ? forecastLabel(month) : null,
        forecast: isForecast ? true : null,
      };
    });
    const validation = { passed: false, status: 'inconclusive', checks: [], failures: [], warnings: [] };
    return { rendering: { rows, periods, validation, unmapped_count: 0 }, chart: null };
  }

  #row(
    line: PlannedLine,
    planned: ReadonlyMap<string, string>,
    realized: (month: string) => Decimal | undefined,
  ): RenderingRow {
    const element = this.#parts.subject.elements.find(({ id }) => id === line.element_id);
    return {
      element_id: line.element_id,
      element_name: element?.name ?? line.qname,
      element_qname: line.qname,
      classification: element?.trait ?? null,
      balance_type: element?.balanceType ?? null,
      item_type: line.item_type,
      values: this.#columns.map((month) => {
        const value = this.#isClosed(month) ? realized(month) : plannedOf(planned, month);
        return value === undefined ? null : (storedNumber(value)?.toNumber() ?? null);
      }),
      text_value: null,
      is_subtotal: false,
      depth: 0,
    };
  }

  #isClosed(month: string): boolean {
    return this.#parts.history.values.has(month);
  }

  #actual(qname: string, month: string): Decimal | undefined {
    return this.#parts.history.values.get(month)?.get(qname);
  }

  /** The value of the driver that explains the actual value of the line that it projects. */
  #driver(driver: string, month: string): Decimal | undefined {
    for (const rule of this.#parts.rules) {
      const actual = this.#actual(rule.target, month);
      if (actual === undefined) continue;
      const found = realizedDriver(rule, driver, actual, (qname, when, driverValue) => {
        if (qname === driver) return decimal(driverValue);
        return this.#parts.isDriver(qname)
          ? undefined
          : this.#actual(qname, when === 'previous' ? plusMonths(month, -1) : month);
      });
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #growth(qname: string, month: string): Decimal | undefined {
    const [before, after] = [this.#actual(qname, plusMonths(month, -1)), this.#actual(qname, month)];
    return before === undefined || after === undefined || before.eq(0) ? undefined : after.div(before).minus(1);
  }
}

function plannedOf(planned: ReadonlyMap<string, string>, month: string): Decimal | undefined {
  const value = planned.get(month);
  return value === undefined ? undefined : decimal(value);
}
