import blocks from '@pacioli/blocks';
import { contribute, definePlugin, documentTexts } from '@pacioli/core';
import taxonomy from '@pacioli/taxonomy';
import { fixedClock, joinTeam, startTestService, type TestClient, teamSettings } from '@pacioli/testing';
import ledger, { accountingConnections, closeSteps, eventSources } from '../src/index.ts';
import { type Books, bookOf, done } from './books.ts';
import { addMonths, addToClosedBooks, addToOpenBooks } from './refusal-books.ts';
import type { BookName, OtherPlugins, RefusalFixture } from './refusal-fixture-types.ts';
import { interfereWith } from './statement-hook.ts';

const now = '2026-04-01T12:00:00Z';
/** Starts the service and sets up all books. */
export async function openRefusalFixture(): Promise<RefusalFixture> {
  const otherPlugins: OtherPlugins = { connections: [], stampError: undefined };
  const service = await startTestService({
    plugins: [taxonomy, blocks, ledger, provider(otherPlugins)],
    aliases: { ledger: ['roboledger'] },
    clock: fixedClock(now),
    settings: { ...teamSettings, orgs: { ...teamSettings.orgs, maxGraphs: -1 } },
  });
  const owner = await service.newUser('Olga');
  const names: readonly BookName[] = ['open', 'shut', 'month', 'broken', 'bare', 'orphan'];
  const opened = await Promise.all(names.map(async (name) => [name, await openNamed(owner, name)] as const));
  const books = Object.fromEntries(opened) as Record<BookName, Books>; // One entry for each name.
  const ids = new Map<string, string>();
  const run: RefusalFixture['run'] = (book, statement) =>
    service.store.transaction({ graphId: books[book].graph }, (tx) => tx.query(statement));
  const id: RefusalFixture['id'] = (name) => {
    const found = ids.get(name);
    if (found === undefined) throw new Error(`The fixture has no row named ${name}.`);
    return found;
  };
  const { client: viewer, userId } = await joinTeam(service, owner);
  const granted = await owner.post(`/v1/graphs/${books.open.graph}/members`, { user_id: userId, role: 'viewer' });
  if (granted.status !== 201) throw new Error(JSON.stringify(granted.body));
  const interference = interfereWith(service.store);
  const fixture = {
    service,
    interference,
    otherPlugins,
    owner,
    viewer,
    stranger: await service.newUser('Sam'),
    books,
    id,
    run,
  };
  await addToOpenBooks(fixture, ids);
  await addToClosedBooks(fixture, ids);
  await addMonths(fixture, ids);
  return fixture;
}

function provider(otherPlugins: OtherPlugins) {
  return definePlugin({
    name: 'companion',
    title: 'A provider of books',
    version: '0.1.0',
    kernel: '^0.1.0',
    dependsOn: ['ledger'],
    contributions: [
      contribute(eventSources, 'test', {
        create: () => ({ live: async () => [{ source: 'quickbooks', connectionId: 'conn_q' }] }),
      }),
      contribute(accountingConnections, 'test', { create: () => ({ live: async () => otherPlugins.connections }) }),
      contribute(documentTexts, 'test', {
        create: () => ({
          find: async (_tx, ids) =>
            new Map(ids.filter((id) => id === 'doc_policies').map((id) => [id, { id, body: 'Sold when delivered.' }])),
        }),
      }),
      contribute(closeSteps, 'test_statements', {
        after: ['schedule-rules'],
        create: () => ({
          run: async () => {
            if (otherPlugins.stampError !== undefined) throw otherPlugins.stampError;
            return {};
          },
        }),
      }),
    ],
  });
}

async function openNamed(owner: TestClient, name: BookName): Promise<Books> {
  const book = await bookOf(owner, await owner.createGraph(name, ['roboledger']));
  if (name === 'bare') return book;
  const closedThrough = name === 'month' || name === 'broken' ? '2026-02' : '2026-01';
  await done(book, 'initialize', { closed_through: closedThrough, earliest_data_period: '2025-12' });
  await done(book, 'initialize-chart-of-accounts', { template: 'services', entity_type: 'llc' });
  return bookOf(owner, book.graph);
}
