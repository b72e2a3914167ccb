import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Store, TableAccess } from '@pacioli/core';
import { openTestStore } from '@pacioli/testing';
import { afterAll, describe, expect, it } from 'vitest';
import type { SampleRows } from '../src/plugin-suite/sample-rows.ts';
import { testTableIsolation } from '../src/plugin-suite/table-isolation-tests.ts';

type Tables = Readonly<Record<string, TableAccess>>;

const forced = (table: string) =>
  `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY; ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;`;
const ownGraph = (table: string) =>
  `${forced(table)} CREATE POLICY own_graph ON ${table} USING (graph_id = current_setting('pacioli.graph_id', true));`;
const ofKernel = (table: string) =>
  `${forced(table)} CREATE POLICY kernel_scope ON ${table} USING (current_setting('pacioli.scope', true) = 'kernel');`;

const shelf = `CREATE TYPE shop_size AS ENUM ('small', 'large');
  CREATE TABLE shop_shelf (graph_id text NOT NULL, id uuid NOT NULL, size shop_size NOT NULL, labels text[] NOT NULL,
    kind text NOT NULL CHECK (kind IN ('wood', 'steel')), data jsonb NOT NULL, on_date date NOT NULL, PRIMARY KEY (graph_id, id));
  CREATE TABLE shop_item (graph_id text NOT NULL, number bigint GENERATED ALWAYS AS IDENTITY, shelf uuid NOT NULL,
    PRIMARY KEY (graph_id, number), FOREIGN KEY (graph_id, shelf) REFERENCES shop_shelf (graph_id, id));
  ${ownGraph('shop_shelf')} ${ownGraph('shop_item')}`;
const currency = `CREATE TABLE shop_currency (code text PRIMARY KEY CHECK (code ~ '^[A-Z]{3}$')); ${ofKernel('shop_currency')}`;

describe('table-trials', () => {
  const opened: Awaited<ReturnType<typeof openTestStore>>[] = [];
  afterAll(async () => {
    for (const { dispose } of opened) await dispose();
  });

  async function migrated(text: string, tables: Tables): Promise<Store> {
    const own = await openTestStore();
    opened.push(own);
    const folder = await mkdtemp(join(tmpdir(), 'pacioli-shop-'));
    await writeFile(join(folder, '0001-shop.sql'), text);
    await own.store.migrate([{ owner: 'shop', folder: pathToFileURL(`${folder}/`), tables }]);
    await rm(folder, { recursive: true });
    return own.store;
  }
  const trial = (store: Store, tables: Tables, samples: SampleRows = {}) =>
    testTableIsolation({ store, plugin: { name: 'shop', tables }, pluginNames: ['kernel', 'shop'], samples });

  it('generates rows from types, enumerated checks and foreign keys, and reports isolated tables', async () => {
    expect(await trial(await migrated(shelf, {}), {})).toEqual({ shop_shelf: 'isolated', shop_item: 'isolated' });
  });

  it('reports a table that accepts no generated row as not tested, until columns are given', async () => {
    const tables: Tables = { shop_currency: { rows: 'kernel' } };
    const store = await migrated(currency, tables);
    expect((await trial(store, tables))['shop_currency']).toMatch(
      /^could not be tried: shop_currency accepts no generated row: .*shop_currency_code_check.*sampleRows: \{ shop_currency/,
    );
    expect(await trial(store, tables, { shop_currency: { code: 'USD' } })).toEqual({ shop_currency: 'isolated' });
  });

  it('reports sample rows for a table that does not exist', async () => {
    const outcomes = await trial(await migrated(shelf, {}), {}, { shop_shelves: {} });
    expect(outcomes['shop_shelves']).toBe('has sample rows, but is not a table of the plugin');
  });

  it('reports each access to rows beyond the declaration of the plugin', async () => {
    // Goal: the test can fail. Method: the declaration of open access is given to the store but not to the trial.
    const shared = `CREATE POLICY shared ON shop_shelf FOR SELECT USING (graph_id = 'kg_first');`;
    const open = `CREATE POLICY for_kernel ON shop_item USING (current_setting('pacioli.scope', true) = 'kernel');`;
    const all = `CREATE POLICY for_all ON shop_currency FOR SELECT USING (true);`;
    const ofGraphs: Tables = { shop_shelf: { sharedGraph: 'kg_first' }, shop_item: { kernelScope: 'write' } };
    const store = await migrated(`${shelf} ${currency} ${shared} ${open} ${all}`, {
      ...ofGraphs,
      shop_currency: { rows: 'kernel', graphScope: 'read-all' },
    });
    const outcomes = await trial(store, { shop_currency: { rows: 'kernel' } }, { shop_currency: { code: 'USD' } });
    expect(outcomes).toEqual({
      shop_shelf: 'another graph sees its rows; the scope kernel sees its rows',
      shop_item:
        'the scope kernel sees its rows; the scope kernel changes its rows; the scope kernel deletes its rows; ' +
        'the scope kernel is not refused by a policy when it inserts a row (it was inserted)',
      shop_currency: 'a graph sees its rows',
    });
  });
});
