import blocks from '@pacioli/blocks';
import { definePlugin, type Plugin, sql } from '@pacioli/core';
import ledger from '@pacioli/ledger';
import taxonomy from '@pacioli/taxonomy';
import { fixedClock, startTestService, type TestClient, type TestService, teamSettings } from '@pacioli/testing';
import reporting from '../src/index.ts';
import type { ReportingService } from './example-books.ts';

/** The domain of holdings, without any part of it: graphs that have no ledger. */
const investor: Plugin = definePlugin({
  name: 'investor',
  title: 'Holdings',
  version: '0.1.0',
  kernel: '^0.1.0',
  dependsOn: ['reporting'],
  domain: 'investor',
});

/** A service whose graphs may have a ledger, holdings or both, with further plugins. */
export async function startSharing(...more: readonly Plugin[]): Promise<ReportingService> {
  const clock = fixedClock('2026-05-04T12:00:00Z');
  const service = await startTestService({
    plugins: [reporting, taxonomy, blocks, ledger, investor, ...more],
    clock,
    settings: { ...teamSettings, orgs: { ...teamSettings.orgs, maxGraphs: -1 } },
  });
  return { service, clock, user: await service.newUser('Ada') };
}

/** A caller with one graph. */
export interface GraphUser {
  readonly client: TestClient;
  readonly graph: string;
}

/** A new organization with a graph. */
export async function newHolder(service: TestService, name: string, domains: readonly string[]): Promise<GraphUser> {
  const client = await service.newUser(name);
  return { client, graph: await client.createGraph(`${name}'s graph`, [...domains]) };
}

type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** All rows of a graph in every table with the column `graph_id`, as the catalog lists them. */
export async function rowsOfGraph(service: TestService, graphId: string): Promise<Rows> {
  return service.store.transaction({ graphId }, async (tx) => {
    const tables = await tx.query(sql<{ readonly name: string }>`
      select c.table_name::text as name from information_schema.columns c
      join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
      where c.column_name = 'graph_id' and t.table_type = 'BASE TABLE' and c.table_schema = current_schema()
      order by 1`);
    const found: Record<string, readonly Readonly<Record<string, unknown>>[]> = {};
    for (const { name } of tables) {
      const rows = await tx.query(sql<{ readonly row: Readonly<Record<string, unknown>> }>`
        select to_jsonb(t) as row from ${sql.table(name)} t where graph_id = ${graphId} order by to_jsonb(t)::text`);
      found[name] = rows.map(({ row }) => row);
    }
    return found;
  });
}

/** The tables whose rows differ. */
export function changedTables(before: Rows, after: Rows): readonly string[] {
  return Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}
