import blocks, { factStore, type NewFact, reportingEntities, ruleStore } from '@pacioli/blocks';
import { definePlugin, kernel, type Plugin, sql, type Transaction, type Use } from '@pacioli/core';
import ledger from '@pacioli/ledger';
import taxonomy, { library, structureParts, structureWrites } from '@pacioli/taxonomy';
import { type Answer, fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import reporting from '../src/index.ts';

const services = {
  store: kernel.store,
  library,
  facts: factStore,
  rules: ruleStore,
  structures: structureParts,
  writes: structureWrites,
  entities: reportingEntities,
};

/** A deployment with reports, and its services as a plugin sees them. */
export interface MetricService {
  readonly service: TestService;
  readonly user: TestClient;
  readonly use: Use<typeof services>;
  readonly clock: ReturnType<typeof fixedClock>;
}

export async function startMetrics(): Promise<MetricService> {
  let use: MetricService['use'] | undefined;
  const observer: Plugin = definePlugin({
    name: 'observer',
    title: 'Writes the facts of reports',
    version: '0.1.0',
    kernel: '^0.1.0',
    dependsOn: ['blocks', 'taxonomy'],
    services,
    start: async (given) => {
      use = given.use;
    },
  });
  const clock = fixedClock('2026-05-04T12:00:00Z');
  const service = await startTestService({
    plugins: [reporting, taxonomy, blocks, ledger, observer],
    aliases: { ledger: ['roboledger'] },
    clock,
    settings: { orgs: { maxGraphs: -1 } },
  });
  if (use === undefined) throw new Error('The plugin of the test was not started.');
  return { service, user: await service.newUser('Ann'), use, clock };
}

type Values = Readonly<Record<string, string | number>>;

/** The facts of one report; names are local names of shipped concepts or qnames of the graph. */
export interface ReportFacts {
  readonly start: string | null;
  readonly end: string;
  readonly values: Values;
  /** The unit of the facts, if it differs from the currency of the books. */
  readonly unit?: string;
  /** The window of the facts, if it differs from that of the set. */
  readonly factWindow?: { readonly start: string; readonly end: string };
  readonly structure?: string;
  readonly reportId?: string;
  readonly scenarioId?: string;
  readonly now?: string;
}

/** The structure of the shipped catalog, and the example of the specification by month (reporting 15.2, 15.3). */
export const catalogKey = 'key-financial-metrics';
export const march = {
  Revenues: 42_000,
  OperatingIncomeLoss: 5_400,
  InterestExpense: 250,
  NetIncomeLoss: 5_150,
  AssetsCurrent: 58_450,
  InventoryNet: 12_800,
  Assets: 105_450,
  LiabilitiesCurrent: 13_900,
  Liabilities: 43_900,
  StockholdersEquity: 61_550,
};
export const april = {
  Revenues: 45_000,
  OperatingIncomeLoss: 6_750,
  InterestExpense: 250,
  NetIncomeLoss: 6_500,
  AssetsCurrent: 67_500,
  InventoryNet: 13_300,
  Assets: 112_450,
  LiabilitiesCurrent: 12_900,
  Liabilities: 41_400,
  StockholdersEquity: 71_050,
};

/** Any JSON from the wire. */
export type Loose = Answer['body'];

/** A graph with reports and metric blocks. */
export class MetricBooks {
  readonly graphId: string;
  readonly #parts: MetricService;
  readonly #currency: string;

  /** Opens books that are kept in US dollars unless a currency is given. */
  static async open(parts: MetricService, currency?: string): Promise<MetricBooks> {
    const graphId = await parts.user.createGraph('Larkfield Tool Co.', ['roboledger']);
    const books = new MetricBooks(parts, graphId, currency ?? 'USD');
    if (currency !== undefined)
      await books.done('initialize', { earliest_data_period: '2026-03', functional_currency: currency });
    return books;
  }

  private constructor(parts: MetricService, graphId: string, currency: string) {
    this.graphId = graphId;
    this.#parts = parts;
    this.#currency = currency;
  }

  get catalogId(): string {
    return this.#structureId(catalogKey);
  }

  post(name: string, body: object, options: { readonly key?: string } = {}): Promise<Answer> {
    const path = `/extensions/roboledger/${this.graphId}/operations/${name}`;
    return this.#parts.user.post(path, body, options.key === undefined ? {} : { 'Idempotency-Key': options.key });
  }

  /** The result of an accepted call. */
  async done(name: string, body: object, options: { readonly key?: string } = {}): Promise<Loose> {
    const answer = await this.post(name, body, options);
    if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.result;
  }

  compute(body: object = {}): Promise<Loose> {
    return this.done('compute-metrics', { structure_id: this.catalogId, period_end: '2026-04-30', ...body });
  }

  inGraph<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#parts.use.store.transaction({ graphId: this.graphId }, work);
  }

  async query(text: string): Promise<Loose> {
    const answer = await this.#parts.user.graphql(this.graphId, text);
    if (answer.body.errors !== undefined) throw new Error(JSON.stringify(answer.body.errors));
    return answer.body.data;
  }

  /** Writes the facts of a report as a period close does. */
  report(report: ReportFacts): Promise<string> {
    const { facts: store, structures } = this.#parts.use;
    return this.inGraph(async (tx) => {
      const names = Object.keys(report.values);
      const qnames = names.map((name) => (name.includes(':') ? name : `rs-gaap:${name}`));
      const ids = await structures.elementIdsByQname(tx, qnames);
      const elements = await structures.elements(tx, [...ids.values()]);
      const { start, end } = report.factWindow ?? report;
      const facts = names.map((name, index): NewFact => {
        const element = elements.get(ids.get(qnames[index] ?? '') ?? '');
        if (element === undefined) throw new Error(`There is no concept ${name}.`);
        const value = String(report.values[name]);
        return {
          elementId: element.id,
          periodStart: start,
          periodEnd: end,
          periodType: element.periodType === 'instant' ? 'instant' : 'duration',
          value,
          unit: report.unit ?? this.#currency,
          decimals: '2',
        };
      });
      const now = new Date(report.now ?? '2026-05-04T12:00:00Z');
      const setId = await store.createSet(tx, {
        structureId: this.#structureId(report.structure ?? 'BS-classified'),
        entityId: await this.entityId(tx),
        periodStart: report.start,
        periodEnd: report.end,
        factsetType: 'report',
        reportId: report.reportId ?? null,
        scenarioId: report.scenarioId ?? null,
        provenance: { origin: 'pivot', mapping_id: 'struct_map' },
        createdBy: 'user_1',
        now,
      });
      await store.addFacts(tx, setId, facts, now);
      return setId;
    });
  }

  /** Adds this many revenues to a set, all with the set's end, each one day longer than the one before. */
  async addRevenues(setId: string, count: number): Promise<void> {
    const elementId = this.#parts.use.library.elementByQname('rs-gaap:Revenues')?.id ?? '';
    await this.inGraph((tx) =>
      tx.query(sql`
        insert into blocks_fact (graph_id, id, fact_set_id, element_id, entity_id, period_start, period_end,
          period_type, fact_type, value, unit, fact_scope, created_at)
        select s.graph_id, 'fact_' || days.number, s.id, ${elementId}, s.entity_id, s.period_end - days.number,
          s.period_end, 'duration', 'Numeric', 1, ${this.#currency}, 'in_scope', s.created_at
        from blocks_fact_set s, generate_series(0, ${count}::int - 1) as days(number)
        where s.graph_id = ${this.graphId} and s.id = ${setId}`),
    );
  }

  /** The two months of the example. */
  async writeExample(): Promise<void> {
    await this.report({ start: '2026-03-01', end: '2026-03-31', values: march });
    await this.report({ start: '2026-04-01', end: '2026-04-30', values: april });
  }

  async entityId(tx: Transaction): Promise<string> {
    const id = await this.#parts.use.entities[0]?.defaultId(tx);
    if (id === undefined) throw new Error('The graph has no entity.');
    return id;
  }

  /** Creates a forecast, whose structure is its scenario. */
  scenario(name: string): Promise<string> {
    const by = { userId: 'user_1', now: new Date('2026-05-04T12:00:00Z') };
    const { writes } = this.#parts.use;
    return this.inGraph(async (tx) => {
      const taxonomyId = await writes.ensureTaxonomy(tx, { type: 'custom_ontology', name: 'Plans' }, by);
      return writes.create(tx, { taxonomyId, name, blockType: 'forecast', conceptArrangement: 'set', arcs: [] }, by);
    });
  }

  /**
   * Authors a metric block; metrics are instant ratios unless `movements` names them. Returns the id of the structure.
   */
  async author(block: {
    readonly metrics: readonly string[];
    readonly movements?: readonly string[];
    readonly money?: readonly string[];
    readonly unlisted?: readonly string[];
    readonly rules?: readonly {
      readonly metric: string | null;
      readonly expression: string;
      readonly variables: Readonly<Record<string, string>>;
    }[];
  }): Promise<string> {
    const concept = (name: string, more: object = {}) => ({
      qname: `own:${name}`,
      name,
      trait: 'metric',
      balance_type: 'debit',
      period_type: block.movements?.includes(name) === true ? 'duration' : 'instant',
      is_monetary: block.money?.includes(name) === true,
      ...more,
    });
    const { structures } = await this.done('create-taxonomy-block', {
      name: `Own metrics ${block.metrics.slice(0, 3).join(' ')}`,
      taxonomy_type: 'custom_ontology',
      elements: [
        concept('Heading', { element_type: 'abstract' }),
        ...[...block.metrics, ...(block.unlisted ?? [])].map((name) => concept(name)),
      ],
      structures: [{ name: 'Own', block_type: 'metric' }],
      associations: block.metrics.map((name, index) => ({
        structure_ref: 'Own',
        from_ref: 'own:Heading',
        to_ref: `own:${name}`,
        association_type: 'presentation',
        order_value: index + 1,
      })),
      rules: (block.rules ?? []).map(({ metric, expression, variables }, index) => ({
        name: `Rule ${index}`,
        rule_category: 'ReportingSystemSpecificRule',
        rule_pattern: 'Derive',
        expression,
        variables: Object.entries(variables).map(([name, qname]) => ({ variable_name: name, variable_qname: qname })),
        ...(metric === null ? { target_structure_ref: 'Own' } : { target_element_qname: `own:${metric}` }),
      })),
    });
    return structures[0].id;
  }

  #structureId(key: string): string {
    const found = this.#parts.use.library.structureByKey(key);
    if (found === undefined) throw new Error(`The library has no structure ${key}.`);
    return found.id;
  }
}

/** The values of a result by local name. */
export function valuesOf({ computed }: Loose): Readonly<Record<string, number>> {
  return Object.fromEntries(
    computed.map(({ element_qname, value }: Loose) => [element_qname.replace(/^.*:/, ''), value]),
  );
}

/** The reason and missing operands of skipped metrics, by local name. */
export function skippedOf({ skipped }: Loose): Readonly<Record<string, readonly [string, readonly string[]]>> {
  return Object.fromEntries(
    skipped.map(({ element_qname, reason, missing }: Loose) => [
      (element_qname ?? 'none').replace(/^.*:/, ''),
      [reason, missing],
    ]),
  );
}
