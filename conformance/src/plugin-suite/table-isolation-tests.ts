import { type RawBuilder, type Scope, type Store, sql, type TableAccess } from '@pacioli/core';
import { RowWriter, type SampleRows } from './sample-rows.ts';
import { type TableShape, tablesOf } from './table-shapes.ts';

const first = 'kg_first';
const second = 'kg_second';
/** SQLSTATE of a row that a policy rejects. */
const refusedByPolicy = '42501';

export interface TableTrials {
  readonly store: Store;
  readonly plugin: { readonly name: string; readonly tables: Readonly<Record<string, TableAccess>> };
  /** Names of all plugins in the store, because the prefix of one may begin the prefix of another. */
  readonly pluginNames: readonly string[];
  readonly samples: SampleRows;
}

/**
 * Tests with two graphs whether one can read, change, delete or insert rows of the other, with statements that name the
 * other graph. Returns `isolated` for each table, or a description of its faults.
 */
export async function testTableIsolation({
  store,
  plugin,
  pluginNames,
  samples,
}: TableTrials): Promise<Record<string, string>> {
  const shapes = await tablesOf(store, plugin.name, pluginNames);
  const accessOf = (table: string) => plugin.tables[table] ?? plugin.tables['*'] ?? {};
  const writer = new RowWriter({ store, shapes, samples, accessOf });
  const outcomes: Record<string, string> = {};
  for (const shape of shapes)
    outcomes[shape.name] = await outcomeOf(new Trial({ store, writer, shape, access: accessOf(shape.name) }));
  for (const table of Object.keys(samples)) outcomes[table] ??= 'has sample rows, but is not a table of the plugin';
  return outcomes;
}

async function outcomeOf(trial: Trial): Promise<string> {
  try {
    await trial.prepare();
  } catch (error) {
    return `could not be tried: ${error instanceof Error ? error.message : String(error)}`;
  }
  const problems = await trial.problems();
  return problems.length === 0 ? 'isolated' : problems.join('; ');
}

interface TrialParts {
  readonly store: Store;
  readonly writer: RowWriter;
  readonly shape: TableShape;
  readonly access: TableAccess;
}

/** A scope that tries to access rows of another scope. */
interface Intruder {
  readonly who: string;
  readonly scope: Scope;
  readonly mayRead: boolean;
}

class Trial {
  readonly shape: TableShape;
  readonly #parts: TrialParts;
  readonly #table: RawBuilder<unknown>;

  constructor(parts: TrialParts) {
    this.#parts = parts;
    this.shape = parts.shape;
    this.#table = sql.table(parts.shape.name);
  }

  async prepare(): Promise<void> {
    const { writer, shape, access } = this.#parts;
    await writer.write(shape.name, first);
    if (access.rows === 'kernel') return;
    await writer.write(shape.name, second);
    if (access.sharedGraph !== undefined) await writer.write(shape.name, access.sharedGraph);
  }

  async problems(): Promise<readonly string[]> {
    const { access } = this.#parts;
    const before = await this.#contents();
    const found = access.rows === 'kernel' ? await this.#ofKernel() : await this.#ofGraphs();
    if (before.count === 0) found.push('its own scope does not see a row that it wrote');
    if ((await this.#contents()).hash !== before.hash) found.push('its rows are no longer as they were');
    return found;
  }

  async #ofKernel(): Promise<string[]> {
    const { access } = this.#parts;
    const mayRead = access.graphScope === 'read-all';
    return this.#intrude({ who: 'a graph', scope: { graphId: second }, mayRead }, undefined);
  }

  async #ofGraphs(): Promise<string[]> {
    const { kernelScope, sharedGraph } = this.#parts.access;
    const another: Intruder = { who: 'another graph', scope: { graphId: second }, mayRead: false };
    const found = [...(await this.#intrude(another, first)), ...(await this.#move())];
    if (sharedGraph !== undefined) found.push(...(await this.#intrude({ ...another, mayRead: true }, sharedGraph)));
    if (kernelScope !== 'write') {
      const kernel: Intruder = { who: 'the scope kernel', scope: 'kernel', mayRead: kernelScope === 'read' };
      found.push(...(await this.#intrude(kernel, first)));
    }
    return found;
  }

  /** Tries to read, change, delete and insert rows of a graph, or of the kernel. */
  async #intrude({ who, scope, mayRead }: Intruder, graphId: string | undefined): Promise<string[]> {
    const { writer, shape } = this.#parts;
    const column = sql.ref(graphId === undefined ? (shape.columns[0]?.name ?? '') : 'graph_id');
    const where = graphId === undefined ? sql`true` : sql`graph_id = ${graphId}`;
    const found: string[] = [];
    const reached = async (statement: RawBuilder<unknown>) => (await this.#attempt(scope, statement)).rows > 0;
    if (!mayRead && (await reached(sql`SELECT 1 FROM ${this.#table} WHERE ${where}`)))
      found.push(`${who} sees its rows`);
    if (await reached(sql`UPDATE ${this.#table} SET ${column} = ${column} WHERE ${where} RETURNING 1`))
      found.push(`${who} changes its rows`);
    if (await reached(sql`DELETE FROM ${this.#table} WHERE ${where} RETURNING 1`))
      found.push(`${who} deletes its rows`);
    const insert = await this.#attempt(scope, await writer.statementFor(shape.name, graphId ?? first));
    if (insert.code !== refusedByPolicy)
      found.push(`${who} is not refused by a policy when it inserts a row (${insert.code ?? 'it was inserted'})`);
    return found;
  }

  /** Tries to move a row of one graph to another. */
  async #move(): Promise<readonly string[]> {
    const move = sql`UPDATE ${this.#table} SET graph_id = ${first} WHERE graph_id = ${second} RETURNING 1`;
    const { rows } = await this.#attempt({ graphId: second }, move);
    return rows > 0 ? ['a graph gives its rows to another graph'] : [];
  }

  /** Runs a statement that is always rolled back. */
  async #attempt(scope: Scope, statement: RawBuilder<unknown>): Promise<{ rows: number; code: string | undefined }> {
    const undo = new Error('undo');
    let rows = 0;
    try {
      await this.#parts.store.transaction(scope, async (tx) => {
        rows = (await tx.query(statement)).length;
        throw undo;
      });
    } catch (error) {
      if (error !== undo) return { rows: 0, code: String((error as { code?: unknown }).code) };
    }
    return { rows, code: undefined };
  }

  async #contents(): Promise<{ readonly count: number; readonly hash: string | null }> {
    const { store, writer, shape } = this.#parts;
    const [row] = await store.transaction(writer.scopeOf(shape.name, first), (tx) =>
      tx.query(sql<{ count: number; hash: string | null }>`
        SELECT count(*)::int AS count, md5(string_agg(t::text, ' ' ORDER BY t::text)) AS hash FROM ${this.#table} AS t`),
    );
    return row ?? { count: 0, hash: null };
  }
}
