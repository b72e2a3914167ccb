/**
 * @module-tag sessions
 * @module-tag engines
 */
// Goal: no read or write of one tenant reaches another, apart from the copy of a shared report (investor H-4).
// Method: two organizations with the same kinds of records, and a report shared between them. Every operation, view, query
// and route of this host that takes the id of a record is called by one tenant with its own records, except for one id,
// which is the other's. All ids and texts of the other tenant are searched in every answer, and its rows are compared.
import { startTestService, type TableDigests, type TestService, tableDigests, teamSettings } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aliases, plugins } from '../src/plugins.ts';
import { bodiesWith, type Schema } from './generated-bodies.ts';
import { queryFields } from './generated-queries.ts';
import { type Ids, openTenant, type Tenant } from './tenant-records.ts';

/** The table of the records that a field refers to. */
const tables: Readonly<Record<string, string>> = {
  agent_id: 'ledger_agent',
  asset_element_id: 'taxonomy_element',
  association_id: 'taxonomy_association',
  connection_id: 'connections_connection',
  credit_element_id: 'taxonomy_element',
  debit_element_id: 'taxonomy_element',
  dimension_ids: 'blocks_dimension',
  discharges_event_id: 'ledger_event',
  document_id: 'search_document',
  element_id: 'taxonomy_element',
  element_ids: 'taxonomy_element',
  entity_id: 'ledger_entity',
  entry_id: 'ledger_entry',
  event_handler_id: 'ledger_event_handler',
  event_id: 'ledger_event',
  fact_set_id: 'blocks_fact_set',
  file_id: 'graph_file',
  from_element_id: 'taxonomy_element',
  list_id: 'reporting_publish_list',
  mapping_id: 'taxonomy_structure',
  member_id: 'reporting_publish_list_member',
  memory_id: 'memory_record',
  obligated_by_event_id: 'ledger_event',
  parent_taxonomy_id: 'taxonomy_taxonomy',
  portfolio_id: 'investor_portfolio',
  position_id: 'investor_position',
  publish_list_id: 'reporting_publish_list',
  reference_event_id: 'ledger_event',
  report_id: 'reporting_report',
  reporting_style_id: 'taxonomy_structure',
  resource_element_id: 'taxonomy_element',
  scenario_id: 'taxonomy_structure',
  section_id: 'taxonomy_structure',
  security_id: 'investor_security',
  structure_id: 'taxonomy_structure',
  superseded_by_id: 'ledger_event',
  supersedes_id: 'reporting_report',
  target_element_id: 'taxonomy_element',
  taxonomy_id: 'taxonomy_taxonomy',
  to_element_id: 'taxonomy_element',
  transaction_id: 'ledger_transaction',
};

/** Fields that name no record of a graph, with the reason. */
const others: Readonly<Record<string, string>> = {
  allowed_source_graph_ids: 'the graphs whose reports are accepted, which need not exist',
  external_id: 'a text of the caller',
  source_graph_id: 'a graph, which need not exist (investor S-3)',
  source_transaction_id: 'a text of the caller',
  target_graph_id: 'the recipient of a share',
  target_graph_ids: 'the recipients of shares',
  tax_id: 'a text of the caller',
};

/** Calls that succeed although they name a record of another tenant, with the reason. */
const ignoring: Readonly<Record<string, string>> = {
  'create-taxonomy-block parent_taxonomy_id': 'only an extension has a parent; for a chart the field is ignored',
  'forget memory_id': 'answers `deleted: false` for an id that the graph does not have (ai-surface ME-7)',
};

/** Endpoints that answer everybody, with the reason. */
const open: Readonly<Record<string, string>> = {
  'GET /.well-known/oauth-protected-resource/v1/graphs/{graph_id}/mcp':
    'metadata for AI clients that is the same for every id, whether or not such a graph exists',
};

/** The copy names the report and the fact sets that it was made of (reporting D-5). */
const namedByCopy = ['reporting_report', 'blocks_fact_set'];

let service: TestService;
let issuer: Tenant;
let holder: Tenant;
let secrets: readonly string[];
let rowsBefore: readonly TableDigests[];
beforeAll(async () => {
  service = await startTestService({ plugins, aliases, settings: teamSettings });
  issuer = await openTenant(service, 'Ada', 'Confidential');
  holder = await openTenant(service, 'Bo', 'Own');
  await issuer.done('ledger', 'add-publish-list-members', {
    list_id: issuer.first['reporting_publish_list'],
    target_graph_ids: [holder.graph],
  });
  const shared = await issuer.done('ledger', 'share-report', {
    publish_list_id: issuer.first['reporting_publish_list'],
    report_id: issuer.first['reporting_report'],
  });
  expect(shared.results).toMatchObject([{ status: 'shared' }]);
  issuer = await issuer.read();
  holder = await holder.read();
  const own = new Set(Object.values(holder.ids).flat());
  const ofIssuer = Object.entries(issuer.ids).flatMap(([table, ids]) => (namedByCopy.includes(table) ? [] : ids));
  // Sequence numbers occur in every answer.
  secrets = ['Confidential', ...ofIssuer.filter((id) => !own.has(id) && !/^\d+$/.test(id))];
  expect(secrets.length).toBeGreaterThan(30);
  rowsBefore = await digests();
});
afterAll(() => service.close());

/** Written some time after the requests that it counts, which are the issuer's own. */
const writtenLater = 'kernel_usage_event';

/** Digests of the issuer's rows in all tables. */
function digests(): Promise<readonly TableDigests[]> {
  const options = { except: [writtenLater], withKernel: true };
  return Promise.all([issuer.graph, issuer.fileGraph].map((graph) => tableDigests(service.store, graph, options)));
}

/** The graph of a tenant that has the records of a field. */
const graphWith = (tenant: Tenant, field: string): string => (field === 'file_id' ? tenant.fileGraph : tenant.graph);

/** The issuer's ids and texts in an answer, except the id that was sent. */
function leaksIn(body: unknown, sent: string): readonly string[] {
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? '');
  return secrets.filter((secret) => secret !== sent && text.includes(secret));
}

/** The parts of all plugins, with the schemas of their bodies. */
const parts = plugins.flatMap((plugin) =>
  [...plugin.operations, ...plugin.views].map((part) => ({
    name: part.name,
    domain: part.domain ?? plugin.domain,
    // A part is mounted where its path says, else below its domain or the graph.
    isOfGraph: !('path' in part) || part.path === undefined,
    input: part.input as Schema,
  })),
);

const idOf = (first: Ids, field: string): string | undefined => first[tables[field] ?? ''];

describe('tenants', () => {
  it('have a record for every kind of reference, or a reason why not', () => {
    const fields = new Set(parts.flatMap(({ input }) => bodiesWith(input, () => undefined).map(({ field }) => field)));
    expect([...fields].filter((field) => tables[field] === undefined && others[field] === undefined)).toEqual([]);
    const referred = new Set([...fields].flatMap((field) => tables[field] ?? []));
    expect([...referred].filter((table) => issuer.first[table] === undefined)).toEqual([]);
  });

  it('write nothing with the ids of another one, and are told nothing of it (investor H-4)', async () => {
    const accepted: string[] = [];
    let notFound = 0;
    for (const { name, domain, isOfGraph, input } of parts) {
      if (!isOfGraph) continue;
      const path = domain === undefined ? '/v1/graphs' : `/extensions/${domain}`;
      const bodies = bodiesWith(input, (field) => idOf(holder.first, field));
      for (const { field, path: at, body } of bodies) {
        const foreign = idOf(issuer.first, field);
        if (foreign === undefined) continue;
        const answer = await holder.client.post(
          `${path}/${graphWith(holder, field)}/operations/${name}`,
          body(foreign),
        );
        expect([name, at, leaksIn(answer.body, foreign)]).toEqual([name, at, []]);
        // A preview answers 200 and says that it would be refused.
        const isRefused =
          [400, 403, 404, 409, 422].includes(answer.status) || answer.body.result?.would_succeed === false;
        if (!isRefused && ignoring[`${name} ${at}`] === undefined) accepted.push(`${name} ${at}: ${answer.status}`);
        if (answer.status === 404) notFound += 1;
      }
    }
    expect(accepted).toEqual([]);
    expect(notFound).toBeGreaterThan(20);
    expect(await digests()).toEqual(rowsBefore);
  });

  it('read nothing with the ids of another one (investor H-4)', async () => {
    const fields = await queryFields(holder.client, holder.graph);
    expect(fields.length).toBeGreaterThan(50);
    for (const { name, text, reference } of fields) {
      const ids = reference === undefined ? [''] : foreignIds(reference);
      for (const id of ids) {
        const { body } = await holder.client.graphql(holder.graph, text(id));
        expect([name, leaksIn(body, id)]).toEqual([name, []]);
      }
    }
    expect(await digests()).toEqual(rowsBefore);
    // The same queries find the records of the one who asks, so that an empty answer means something.
    const found: string[] = [];
    for (const { name, text, reference } of fields) {
      const { body } = await issuer.client.graphql(issuer.graph, text(foreignIds(reference ?? 'id')[0] ?? ''));
      if (leaksIn(body, '').length > 0) found.push(name);
    }
    expect(new Set(found).size).toBeGreaterThan(20);
    rowsBefore = await digests(); // A link to a file is granted when it is read.
  });

  it('are refused at every endpoint of the graph of another one, and at their own with its ids (investor H-4)', async () => {
    const answered: string[] = [];
    for (const { method, path } of service.service.endpoints) {
      if (!path.includes('{graph_id}')) continue;
      const parameters = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
      const at = (graph: string) =>
        path.replaceAll(/\{([^}]+)\}/g, (_, name: string) =>
          name === 'graph_id' ? graph : (idOf(issuer.first, name) ?? 'unknown'),
        );
      const last = parameters.at(-1) ?? '';
      const graphs = (parameters.length > 1 ? [issuer, holder] : [issuer]).map((tenant) => graphWith(tenant, last));
      for (const graph of graphs) {
        const answer = await holder.client.request(method, at(graph), method === 'GET' ? undefined : {});
        expect([path, leaksIn(answer.body, idOf(issuer.first, last) ?? '')]).toEqual([path, []]);
        if (answer.status < 400 && open[`${method} ${path}`] === undefined)
          answered.push(`${method} ${path}: ${answer.status}`);
      }
    }
    expect(answered).toEqual([]);
    expect(await digests()).toEqual(rowsBefore);
  });
});

/** The ids to try for an argument: those of its kind, or of every kind. */
function foreignIds(argument: string): readonly string[] {
  const snake = argument.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  if (others[snake] !== undefined) return [];
  const id = idOf(issuer.first, snake);
  return id === undefined ? Object.values(issuer.first) : [id];
}
