import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sql } from '@pacioli/core';
import { openTestStore } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Column, readColumns, renderRowTypes } from './row-types.ts';

const scope = { graphId: 'kg1' };
const migration = `CREATE TABLE sample_item (
  graph_id text NOT NULL,
  id bigint NOT NULL,
  rank integer NOT NULL,
  weight double precision NOT NULL,
  price numeric NOT NULL,
  day date NOT NULL,
  at timestamptz NOT NULL,
  tags text[] NOT NULL,
  content jsonb NOT NULL,
  hash bytea NOT NULL,
  is_open boolean NOT NULL,
  status text NOT NULL CHECK (status IN ('draft', 'posted')),
  unit text NOT NULL CHECK (unit = 'piece'),
  side text CHECK (side IN ('debit', 'credit')),
  code text NOT NULL CHECK (code ~ '^[A-Z]+$'),
  note text,
  removed text,
  CHECK (status = 'draft' OR note IS NOT NULL),
  PRIMARY KEY (graph_id, id)
);
ALTER TABLE sample_item DROP COLUMN removed;
CREATE TABLE sample_item_name (graph_id text NOT NULL, name text NOT NULL, PRIMARY KEY (graph_id, name));
${['sample_item', 'sample_item_name']
  .map(
    (table) => `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY graph ON ${table} USING (graph_id = current_setting('pacioli.graph_id', true));`,
  )
  .join('\n')}`;

const rendered = `// Written by \`npm run gen\` from the migrations: the rows of each table as the store returns them. Do not edit.

export interface SampleItem {
  readonly graph_id: string;
  readonly id: number;
  readonly rank: number;
  readonly weight: number;
  readonly price: string;
  readonly day: string;
  readonly at: Date;
  readonly tags: readonly string[];
  readonly content: unknown;
  readonly hash: Buffer;
  readonly is_open: boolean;
  readonly status: 'draft' | 'posted';
  readonly unit: 'piece';
  readonly side: 'debit' | 'credit' | null;
  readonly code: string;
  readonly note: string | null;
}

export interface SampleItemName {
  readonly graph_id: string;
  readonly name: string;
}

/** For \`tx.tables<SampleTables>()\`. */
export interface SampleTables {
  readonly sample_item: SampleItem;
  readonly sample_item_name: SampleItemName;
}
`;

let folder: string;
let own: Awaited<ReturnType<typeof openTestStore>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pacioli-row-types-'));
  await writeFile(join(folder, '0001-sample.sql'), migration);
  own = await openTestStore();
  await own.store.migrate([{ owner: 'sample', folder: pathToFileURL(`${folder}/`) }]);
});

afterAll(async () => {
  await own?.dispose();
  await rm(folder, { recursive: true, force: true });
});

const columnsOfSample = (): Promise<readonly Column[]> => own.store.transaction('kernel', (tx) => readColumns(tx));

describe('row types', () => {
  it('are those of the migrated tables, with the values that a check of a column allows', async () => {
    expect(renderRowTypes('sample', await columnsOfSample())).toBe(rendered);
  });

  it('are those of the values that the store returns', async () => {
    const row = await own.store.transaction(scope, async (tx) => {
      await tx.query(sql`INSERT INTO sample_item VALUES ('kg1', 1, 2, 0.5, 1.50, '2026-03-31', now(), '{a}', '{"a": 1}',
        '\\x01', true, 'draft', 'piece', NULL, 'A', NULL)`);
      const [stored] = await tx.query(sql<Readonly<Record<string, unknown>>>`SELECT * FROM sample_item`);
      return stored ?? {};
    });
    const kindOf = (value: unknown): string => {
      if (Array.isArray(value)) return `readonly ${typeof value[0]}[]`;
      if (Buffer.isBuffer(value)) return 'Buffer';
      return value instanceof Date ? 'Date' : typeof value;
    };
    expect(Object.keys(row)).toHaveLength(16);
    const declared = [...rendered.matchAll(/^ {2}readonly (\w+): (.*);$/gm)].slice(0, Object.keys(row).length);
    for (const [, name = '', type = ''] of declared) {
      const value = row[name];
      if (type === 'unknown') expect(value).toEqual({ a: 1 });
      else if (value === null) expect(type).toMatch(/ \| null$/);
      else if (type.startsWith("'")) expect(type.split(' | ')).toContain(`'${String(value)}'`);
      else expect([name, kindOf(value)]).toEqual([name, type]);
    }
  });

  it('of a type that the store does not map are refused with the name of the column', async () => {
    const [column] = await columnsOfSample();
    const other = { ...(column as Column), type: 'interval' };
    expect(() => renderRowTypes('sample', [other])).toThrow('sample_item.graph_id has the type interval');
  });
});
