import { sql } from '@pacioli/core';
import type { Answer, TestClient, TestService } from '@pacioli/testing';

type Loose = Answer['body'];

/** One id for each table. */
export type Ids = Readonly<Record<string, string>>;

/** An organization of its own with a graph that has a record of each kind, and one for files. */
export interface Tenant {
  readonly client: TestClient;
  readonly graph: string;
  /** A graph whose rows come from files; other graphs have none. */
  readonly fileGraph: string;
  /** The ids of all records of both graphs by table. */
  readonly ids: Readonly<Record<string, readonly string[]>>;
  readonly first: Ids;
  /** Calls an operation of a domain, or of graphs in general. */
  done(domain: string | undefined, name: string, body: object): Promise<Loose>;
  /** Reads the ids again. */
  read(): Promise<Tenant>;
}

const chart = [
  ['1000', 'asset', 'CashAndCashEquivalentsAtCarryingValue'],
  ['3000', 'equity', 'CommonStockValue'],
  ['4000', 'revenue', 'RevenueFromContractWithCustomerExcludingAssessedTax'],
] as const;

/** Opens a tenant whose private texts contain `secret`. */
export async function openTenant(service: TestService, name: string, secret: string): Promise<Tenant> {
  const client = await service.newUser(name);
  const graph = await client.createGraph(`${name}'s company`, ['roboledger', 'roboinvestor']);
  const doneIn =
    (id: string): Tenant['done'] =>
    async (domain, operation, body) => {
      const path = domain === undefined ? '/v1/graphs' : `/extensions/${domain}`;
      const answer = await client.post(`${path}/${id}/operations/${operation}`, body);
      if (answer.status !== 200) throw new Error(`${operation}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body.result;
    };
  const done = doneIn(graph);
  await fillBooks(done, secret);
  await fillPortfolio(done, secret);
  await fillTexts(done, secret);
  await addConnection(client, graph, secret);
  await addDimension(service, graph, secret);
  const fileGraph = await createFileGraph(client, name);
  const file = { file_name: `${secret}.csv`, content_type: 'text/csv', table_name: 'Vessel' };
  await doneIn(fileGraph)(undefined, 'create-file-upload', file);
  const read = async (): Promise<Tenant> => {
    const [own, ofFiles] = [await idsOf(service, graph), await idsOf(service, fileGraph)];
    const ids = Object.fromEntries(
      Object.entries(own).map(([table, found]) => [table, [...found, ...(ofFiles[table] ?? [])]]),
    );
    const first = Object.fromEntries(
      Object.entries(ids).flatMap(([table, [id]]) => (id === undefined ? [] : [[table, id]])),
    );
    return { client, graph, fileGraph, ids, first, done, read };
  };
  return read();
}

async function fillBooks(done: Tenant['done'], secret: string): Promise<void> {
  await done('ledger', 'initialize', { earliest_data_period: '2026-02', fiscal_year_start_month: 1 });
  const { elements, structures } = await done('ledger', 'create-taxonomy-block', {
    taxonomy_type: 'chart_of_accounts',
    name: `${secret} chart`,
    elements: chart.map(([code, trait]) => ({ qname: `coa:${code}`, code, name: `${secret} ${code}`, trait })),
    structures: [{ name: 'To GAAP', block_type: 'coa_mapping' }],
    associations: chart.map(([code, , concept]) => ({
      structure_ref: 'To GAAP',
      from_ref: `coa:${code}`,
      to_ref: `rs-gaap:${concept}`,
      association_type: 'mapping',
    })),
  });
  const idOf = (code: string) => elements.find(({ qname }: Loose) => qname === `coa:${code}`).id;
  await done('ledger', 'create-event-block', {
    event_type: 'journal_entry_recorded',
    event_category: 'other',
    occurred_at: '2026-02-10T09:00:00Z',
    source: 'manual',
    apply_handlers: true,
    metadata: {
      posting_date: '2026-02-10',
      memo: `${secret} sale`,
      status: 'posted',
      line_items: [
        { element_id: idOf('1000'), debit_amount: 500, credit_amount: 0 },
        { element_id: idOf('4000'), debit_amount: 0, credit_amount: 500 },
      ],
    },
  });
  await done('ledger', 'create-agent', { agent_type: 'customer', name: `${secret} customer` });
  await done('ledger', 'create-event-handler', {
    name: `${secret} handler`,
    event_type: 'goods_sold',
    transaction_template: {
      transactions: [
        {
          entry_template: {
            debit: { element_id: idOf('1000'), amount: '{{ event.amount }}' },
            credit: { element_id: idOf('4000'), amount: '{{ event.amount }}' },
          },
        },
      ],
    },
  });
  await done('ledger', 'create-report', {
    name: 'First quarter',
    mapping_id: structures[0].id,
    period_type: 'monthly',
    period_start: '2026-02-01',
    period_end: '2026-02-28',
  });
  await done('ledger', 'create-publish-list', { name: `${secret} list` });
}

async function fillPortfolio(done: Tenant['done'], secret: string): Promise<void> {
  const security = await done('investor', 'create-security', { name: `${secret} bond`, security_type: 'bond' });
  await done('investor', 'create-portfolio-block', {
    portfolio: { name: `${secret} portfolio` },
    positions: [{ security_id: security.id, quantity: 1, cost_basis: 100, notes: `${secret} note` }],
  });
}

async function fillTexts(done: Tenant['done'], secret: string): Promise<void> {
  await done(undefined, 'index-document', { title: `${secret} policy`, content: `${secret} rules of the close.` });
  await done(undefined, 'remember', { text: `${secret} preference` });
}

async function addConnection(client: TestClient, graph: string, secret: string): Promise<void> {
  const external = { source_name: secret.toLowerCase(), display_name: `${secret} source` };
  const answer = await client.post(`/v1/graphs/${graph}/connections`, {
    provider: 'external',
    external_config: external,
  });
  if (answer.status !== 201) throw new Error(`create-connection: ${answer.status} ${JSON.stringify(answer.body)}`);
}

/** A dimension as facts of a forecast have one, without the forecast. */
async function addDimension(service: TestService, graph: string, secret: string): Promise<void> {
  await service.store.transaction({ graphId: graph }, (tx) =>
    tx.query(sql`insert into blocks_dimension (graph_id, id, dimension_type, value, display_name)
      values (${graph}, ${`dim_${secret}`}, 'scenario', ${`${secret} case`}, ${`${secret} case`})`),
  );
}

async function createFileGraph(client: TestClient, name: string): Promise<string> {
  const accepted = await client.post('/v1/graphs', {
    metadata: { graph_name: `${name}'s files` },
    custom_schema: {
      name: 'harbour',
      nodes: [{ name: 'Vessel', properties: [{ name: 'imo', type: 'STRING', is_primary_key: true }] }],
    },
  });
  const ended = await client.follow(accepted.body.operationId);
  if (ended.body.status !== 'completed') throw new Error(`The graph was not created: ${JSON.stringify(ended.body)}`);
  return ended.body.result.graph_id;
}

/** The columns of ids that are not named `id`. */
const idColumns: Readonly<Record<string, string>> = { search_document: 'document_id', graph_file: 'file_id' };

/** The ids of a graph's rows in every table with the column `graph_id`. */
async function idsOf(service: TestService, graph: string): Promise<Readonly<Record<string, readonly string[]>>> {
  return service.store.transaction({ graphId: graph }, async (tx) => {
    const tables = await tx.query(sql<{ readonly name: string; readonly has_id: boolean }>`
      select t.table_name::text as name, exists (select from information_schema.columns i
        where i.table_schema = t.table_schema and i.table_name = t.table_name and i.column_name = 'id') as has_id
      from information_schema.tables t join information_schema.columns c using (table_schema, table_name)
      where c.column_name = 'graph_id' and t.table_type = 'BASE TABLE' and t.table_schema = current_schema() order by 1`);
    const found: Record<string, readonly string[]> = {};
    for (const { name, has_id } of tables) {
      const column = has_id ? 'id' : idColumns[name];
      const rows =
        column === undefined
          ? []
          : await tx.query(sql<{ readonly id: string }>`
              select to_jsonb(t) ->> ${column} as id from ${sql.table(name)} t where graph_id = ${graph} order by 1`);
      found[name] = rows.map(({ id }) => id);
    }
    return found;
  });
}
