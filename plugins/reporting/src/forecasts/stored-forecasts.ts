import { sql, type Transaction } from '@pacioli/core';
import type { StructurePart } from '@pacioli/taxonomy';
import { definitionOf, type ForecastDefinition, type GrowthLine, type PlannedLine } from './definition.ts';
import { type DriverRule, driverRules, type UnusableRule } from './driver-rules.ts';
import type { LineValues } from './planned-values.ts';
import type { ForecastServices } from './services.ts';

/** A forecast with its values. */
export interface StoredForecast {
  readonly id: string;
  readonly name: string;
  readonly definition: ForecastDefinition;
  /** By element and month, `YYYY-MM`, as decimal text: levers and assertions. */
  readonly values: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

type Reads = Pick<ForecastServices, 'facts' | 'library' | 'rules' | 'statements' | 'structures'>;

const driverCatalogKey = 'forecast-drivers';

/** Reads forecasts, the driver catalog, and the statements in the library. */
export class StoredForecasts {
  readonly #use: Reads;

  constructor(use: Reads) {
    this.#use = use;
  }

  /** Those of the structures that are forecasts, by id; two statements. */
  async find(tx: Transaction, structureIds: readonly string[]): Promise<ReadonlyMap<string, StoredForecast>> {
    return this.of(tx, [...(await this.#use.structures.find(tx, structureIds)).values()]);
  }

  /** The forecasts that structures hold, by id; one statement. */
  async of(
    tx: Transaction,
    structures: readonly Pick<StructurePart, 'id' | 'name' | 'metadata'>[],
  ): Promise<ReadonlyMap<string, StoredForecast>> {
    const found = structures.flatMap(({ id, name, metadata }) => {
      const definition = definitionOf(metadata);
      return definition === undefined ? [] : [{ id, name, definition }];
    });
    if (found.length === 0) return new Map();
    const sets = await this.#use.facts.sets(tx, {
      scenario: 'all',
      structureIds: found.map(({ id }) => id),
      factsetTypes: ['custom'],
    });
    const facts =
      sets.length === 0
        ? []
        : await this.#use.facts.facts(tx, { scenario: 'all', factSetIds: sets.map(({ id }) => id) });
    const ownerOf = new Map(sets.map(({ id, structureId }) => [id, structureId]));
    return new Map(
      found.map((forecast): [string, StoredForecast] => {
        const values = new Map<string, Map<string, string>>();
        for (const { elementId, factSetId, periodEnd, value } of facts) {
          if (ownerOf.get(factSetId) !== forecast.id || value === null) continue;
          const months = values.get(elementId) ?? new Map<string, string>();
          values.set(elementId, months.set(periodEnd.slice(0, 7), value));
        }
        return [forecast.id, { ...forecast, values }];
      }),
    );
  }

  /** The rules of the driver catalog; two statements. */
  async driverRules(
    tx: Transaction,
  ): Promise<{ readonly usable: readonly DriverRule[]; readonly unusable: readonly UnusableRule[] }> {
    const catalog = this.#use.library.structureByKey(driverCatalogKey);
    if (catalog === undefined) throw new Error('The library has no driver catalog.');
    const about = await this.#use.rules.about(tx, new Set([catalog.id]));
    return driverRules(about.filter(({ target }) => target?.kind === 'structure' && target.id === catalog.id));
  }

  /** The heading of the driver catalog. */
  get headingId(): string {
    const catalog = this.#use.library.structureByKey(driverCatalogKey);
    const [first] = catalog === undefined ? [] : this.#use.library.associationsOf(catalog.id);
    if (first === undefined) throw new Error('The library has no driver catalog.');
    return first.fromElementId;
  }

  isDriver(qname: string): boolean {
    return this.#use.library.elementByQname(qname)?.source === 'rs-driver';
  }

  /** The income statements of every style, of which a scenario has one for each computed month. */
  get incomeStatementIds(): readonly string[] {
    const { styles, ofStyle } = this.#use.statements;
    return [...new Set(styles.flatMap(({ code }) => ofStyle(code)?.incomeStatement.structureId ?? []))];
  }
}

/** The values of lines of a forecast by qname. */
export function lineValues(
  lines: readonly PlannedLine[],
  values: StoredForecast['values'],
): readonly (LineValues & PlannedLine)[] {
  return lines.map((line) => ({ ...line, values: values.get(line.element_id) ?? new Map() }));
}

/** The rates of a line by month. */
export function growthValues({ qname, values_by_period }: GrowthLine): LineValues {
  return { qname, values: new Map(Object.entries(values_by_period)) };
}

/** Makes concurrent writes and computations of one forecast wait for each other. */
export async function lockForecast(tx: Transaction, structureId: string): Promise<void> {
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtextextended(${`pacioli.reporting.forecast.${tx.graphId}.${structureId}`}, 0))`,
  );
}
