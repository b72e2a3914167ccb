/** @module-tag sessions */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineOperation, definePlugin, defineQuery, model, type Plugin, sql } from '@pacioli/core';
import { startTestService } from '@pacioli/testing';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';

const table = `CREATE TABLE scrapbook_page (
  graph_id text NOT NULL,
  title text NOT NULL,
  PRIMARY KEY (graph_id, title)
);
`;
const enable = 'ALTER TABLE scrapbook_page ENABLE ROW LEVEL SECURITY;';
const force = 'ALTER TABLE scrapbook_page FORCE ROW LEVEL SECURITY;';
const policy = `CREATE POLICY own_graph ON scrapbook_page USING (graph_id = current_setting('pacioli.graph_id', true));`;

const writePage = defineOperation({
  name: 'write-page',
  summary: 'Writes a page.',
  role: 'member',
  openapi: { id: 'write_page', tag: 'scrapbook' },
  mcp: { held: 'Only for tests.' },
  input: model('WritePageRequest', { title: Type.String() }),
  output: model('WritePageResponse', { title: Type.String() }),
  async handle({ input, ctx }) {
    await ctx.tx.query(sql`INSERT INTO scrapbook_page (graph_id, title) VALUES (${ctx.graph.id}, ${input.title})`);
    return { title: input.title };
  },
});

/** Reads without a condition on the graph, relying on row-level security. */
const pages = defineQuery({
  name: 'scrapbookPages',
  summary: 'The titles of all pages.',
  args: model('ScrapbookPagesArgs', {}),
  returns: Type.Array(Type.String()),
  async resolve({ ctx }) {
    const rows = await ctx.tx.query(sql<{ title: string }>`SELECT title FROM scrapbook_page ORDER BY title LIMIT 100`);
    return rows.map(({ title }) => title);
  },
});

type TableDeclarations = Pick<Plugin, 'tables' | 'securityDefinerFunctions' | 'kernelScopeFunctions'>;

const ownGraph = `graph_id = current_setting('pacioli.graph_id', true)`;
const inKernel = `current_setting('pacioli.scope', true) = 'kernel'`;

/** The tables and functions that the README declares, with the policies that its comments describe. */
const declaredTables = [
  ['provider', [`USING (${inKernel})`]],
  ['currency', [`USING (${inKernel})`, 'FOR SELECT USING (true)']],
  ['quota', [`USING (${inKernel})`, `USING (${ownGraph})`]],
  ['log', [`USING (${ownGraph})`, `FOR SELECT USING (${inKernel})`]],
  ['template', [`USING (${ownGraph})`, `FOR SELECT USING (graph_id = 'library')`]],
  ['receipt', [`USING (${ownGraph})`]],
]
  .map(([name, policies]) => [`ledger_${name}`, policies as readonly string[]] as const)
  .map(
    ([name, policies]) => `CREATE TABLE ${name} (graph_id text NOT NULL, id text NOT NULL, PRIMARY KEY (graph_id, id));
ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${name} FORCE ROW LEVEL SECURITY;
${policies.map((policy, index) => `CREATE POLICY p${index} ON ${name} ${policy};`).join('\n')}`,
  )
  .concat(
    `CREATE FUNCTION ledger_gather_statistics() RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT
  AS 'SELECT NULL::void';`,
    `CREATE FUNCTION ledger_count_of_all() RETURNS bigint LANGUAGE sql STABLE SET pacioli.scope = 'kernel'
  AS 'SELECT count(*) FROM ledger_provider';`,
  )
  .join('\n');

function readme(): Promise<string> {
  return readFile(new URL('../README.md', import.meta.url), 'utf8');
}

/** Runs `work` with a plugin whose only migration has this text. */
async function withScrapbook<T>(text: string, work: (plugin: Plugin) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'pacioli-scrapbook-'));
  try {
    await writeFile(join(folder, '0001-scrapbook.sql'), text);
    const migrations = pathToFileURL(`${folder}/`);
    const parts = { operations: [writePage], queries: [pages], domain: 'scrapbook', migrations };
    return await work(
      definePlugin({ name: 'scrapbook', title: 'Scrapbook', version: '1.0.0', kernel: '^0.1.0', ...parts }),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Starts a service with the plugin, and returns the pages that a second tenant reads after the first wrote one. */
async function pagesOfSecondTenant(plugin: Plugin): Promise<unknown> {
  const service = await startTestService({ plugins: [plugin] });
  try {
    const [first, second] = [await service.newUser('first'), await service.newUser('second')];
    const graph = await first.createGraph('First', ['scrapbook']);
    const other = await second.createGraph('Second', ['scrapbook']);
    await first.post(`/extensions/scrapbook/${graph}/operations/write-page`, { title: 'Secret' });
    return (await second.graphql(other, '{ scrapbookPages }')).body.data.scrapbookPages;
  } finally {
    await service.close();
  }
}

describe('the tables of a plugin', () => {
  it('are isolated by the three statements that end every migration', async () => {
    expect(await withScrapbook(`${table}${enable}${force}${policy}`, pagesOfSecondTenant)).toEqual([]);
  });

  it('fail startup without row-level security, with the statements that add it', async () => {
    await expect(withScrapbook(table, pagesOfSecondTenant)).rejects.toThrow(
      'The table scrapbook_page of the plugin scrapbook does not keep graphs apart: row-level security is off, it is not forced ' +
        `on the owner of the table, and there is no policy. Add to scrapbook/0001-scrapbook.sql: ${enable} ${force} ${policy}`,
    );
  });

  it('fail startup with a policy that admits every row', async () => {
    const open = 'CREATE POLICY everything ON scrapbook_page USING (true);';
    await expect(withScrapbook(`${table}${enable}${force}${policy}${open}`, pagesOfSecondTenant)).rejects.toThrow(
      'The table scrapbook_page of the plugin scrapbook does not keep graphs apart: the policy everything lets rows of other ' +
        'graphs through. Add to scrapbook/0001-scrapbook.sql: DROP POLICY everything ON scrapbook_page;',
    );
  });

  it('fail startup if their migration writes to a table of the kernel', async () => {
    const foreign = `UPDATE kernel_user SET is_active = false;`;
    await expect(withScrapbook(`${table}${enable}${force}${policy}${foreign}`, pagesOfSecondTenant)).rejects.toThrow(
      'scrapbook/0001-scrapbook.sql was rolled back: it writes to kernel_user, which belongs to kernel.',
    );
  });

  it('are isolated by the statements that the README prints', async () => {
    const [, statements = ''] = /```sql\n([\s\S]*?)```/.exec(await readme()) ?? [];
    expect(statements).toContain('ledger_entry');
    const isolated = `${table}${statements.replaceAll('ledger_entry', 'scrapbook_page')}`;
    expect(await withScrapbook(isolated, pagesOfSecondTenant)).toEqual([]);
  });

  it('allow exactly the access that the README declares', async () => {
    const [, source = ''] = /```ts\n(definePlugin\(\{\n {2}name: 'ledger',[\s\S]*?)```/.exec(await readme()) ?? [];
    // The README prints one expression, whose only name is that of the function.
    const declared = new Function('definePlugin', `return ${source}`)((spec: object) => spec) as TableDeclarations;
    const folder = await mkdtemp(join(tmpdir(), 'pacioli-declared-'));
    const migrations = join(folder, 'src', 'migrations');
    await mkdir(migrations, { recursive: true });
    await writeFile(join(migrations, '0001-declared.sql'), declaredTables);
    const given = { title: 'Ledger', version: '1.0.0', kernel: '^0.1.0', migrations: pathToFileURL(`${migrations}/`) };
    const start = async (change: Partial<TableDeclarations>): Promise<void> => {
      const plugin = definePlugin({ name: 'ledger', ...declared, ...given, ...change });
      await (await startTestService({ plugins: [plugin] })).close();
    };
    try {
      await start({});
      for (const name of Object.keys(declared.tables)) {
        const { [name]: left, ...others } = declared.tables;
        expect(left).toBeDefined();
        if (name === 'ledger_receipt') continue; // A table that allows more than it declares does not exist.
        await expect(start({ tables: others })).rejects.toThrow(name);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('fail startup with the message that the guide prints', async () => {
    const root = new URL('../../', import.meta.url);
    const guide = await readFile(new URL('docs/guide/01-first-plugin.md', root), 'utf8');
    const complete = await readFile(new URL('plugins/template/src/migrations/0001-watchlist.sql', root), 'utf8');
    const folder = await mkdtemp(join(tmpdir(), 'pacioli-watchlist-'));
    await writeFile(join(folder, '0001-watchlist.sql'), complete.replace(/CREATE POLICY .*;/, ''));
    const migrations = pathToFileURL(`${folder}/`);
    const plugin = definePlugin({
      name: 'watchlist',
      title: 'Watchlist',
      version: '1.0.0',
      kernel: '^0.1.0',
      migrations,
    });
    const refused = await startTestService({ plugins: [plugin] }).catch((error: Error) => error.message);
    await rm(folder, { recursive: true });
    expect(refused).toBe(/```text\n(.*)\n```/.exec(guide)?.[1]);
  });
});
