import { type Table as LanceTable, MultiMatchQuery, type VectorQuery } from '@lancedb/lancedb';
import {
  type EntryVector,
  type FoundEntry,
  type IndexEntry,
  type IndexMatches,
  type IndexOptions,
  type IndexQuery,
  type IndexRevision,
  type IndexStats,
  leastCosine,
  maxCountedMatches,
  maxReadEntries,
  maxReplacedEntries,
  queryTerms,
  type RankedEntry,
  type SearchIndex,
  SearchIndexError,
} from '@pacioli/core/ports';
import type { Field, Schema } from 'apache-arrow';
import { conditionOf, isOneOf, quoted, startsWith } from './conditions.ts';
import { arrowTable, entryOf, readColumns, rowsOf, termColumns, vectorColumn, vectorColumns } from './entry-rows.ts';
import { GraphTables } from './graph-tables.ts';

const maxAttempts = 10;
const noMatches: IndexMatches = { byText: [], textTotal: 0, byVector: [] };

/** The methods of a search index that need the engine. */
export type TableIndex = Omit<SearchIndex, 'driver' | 'identity'>;

/** The search index over the tables of graphs, with the search, ranking and writes of the port. */
export class LanceSearchIndex implements TableIndex {
  readonly #tables: GraphTables;

  constructor({ folder }: { readonly folder: string }) {
    this.#tables = new GraphTables(folder);
  }

  /** The id of the graph's folder and the version of the table, which grows with each commit. */
  async revision(graphId: string, { signal }: IndexOptions): Promise<IndexRevision | undefined> {
    return this.#run(graphId, signal, async () => {
      const number = await (await this.#tables.find(graphId))?.version();
      return number === undefined ? undefined : { space: await this.#tables.folderId(graphId), number };
    });
  }

  async replace(
    graphId: string,
    prefix: string,
    entries: readonly IndexEntry[],
    { signal }: IndexOptions,
  ): Promise<void> {
    if (entries.length > maxReplacedEntries)
      throw new RangeError(`At most ${maxReplacedEntries} entries are replaced.`);
    const rows = await rowsOf(entries);
    await this.#run(graphId, signal, async () => {
      if (rows.length === 0) {
        const table = await this.#tables.find(graphId);
        const deleted = await table?.delete(startsWith(prefix));
        await this.#tables.changed(graphId, { written: 0, removed: deleted?.numDeletedRows ?? 0 });
        return;
      }
      const table = await this.#tables.ensure(graphId);
      const columns = vectorColumns(entries);
      const schema = await withColumns(table, columns.fields);
      // One commit, so that a search sees the entries before or after it.
      const result = await table
        .mergeInsert('id')
        .whenMatchedUpdateAll()
        .whenNotMatchedInsertAll()
        .whenNotMatchedBySourceDelete({ where: startsWith(prefix) })
        .execute(await arrowTable(rows, schema, columns));
      const removed = result.numUpdatedRows + result.numDeletedRows;
      await this.#tables.changed(graphId, { written: rows.length, removed });
    });
  }

  async deleteGraph(graphId: string, { signal }: IndexOptions): Promise<void> {
    await this.#run(graphId, signal, () => this.#tables.remove(graphId));
  }

  async search(graphId: string, query: IndexQuery, { signal }: IndexOptions): Promise<IndexMatches> {
    return this.#run(graphId, signal, async () => {
      const table = await this.#tables.find(graphId);
      if (table === undefined) return noMatches;
      await this.#tables.waitForIndexes(graphId);
      const { limit, offset, vector } = query;
      const condition = conditionOf(query.filter);
      const [byText, byVector] = await Promise.all([
        rankedByText(table, { text: query.text, condition, limit: vector === undefined ? maxCountedMatches : limit }),
        vector === undefined ? [] : rankedByVector(table, { vector, condition, limit }),
      ]);
      return { byText: byText.slice(offset, offset + limit), textTotal: byText.length, byVector };
    });
  }

  async entries(graphId: string, ids: readonly string[], { signal }: IndexOptions): Promise<readonly FoundEntry[]> {
    if (ids.length > maxReadEntries) throw new RangeError(`At most ${maxReadEntries} entries are read.`);
    return this.#run(graphId, signal, async () => {
      const table = await this.#tables.find(graphId);
      return table === undefined ? [] : [...(await readEntries(table, ids)).values()];
    });
  }

  async notEmbeddedBy(
    graphId: string,
    model: string,
    { afterId, limit }: { readonly afterId: string | undefined; readonly limit: number },
    { signal }: IndexOptions,
  ): Promise<readonly FoundEntry[]> {
    return this.#run(graphId, signal, async () => {
      const table = await this.#tables.find(graphId);
      if (table === undefined) return [];
      const isOther = `(embedding_model IS NULL OR embedding_model <> ${quoted(model)})`;
      const after = afterId === undefined ? '' : ` AND id > ${quoted(afterId)}`;
      const found = await table.query().where(`${isOther}${after}`).select(['id']).toArrow();
      const ids = Array.from(found.getChild('id') ?? [], String)
        .sort(byCodePoints)
        .slice(0, limit);
      const entries = await readEntries(table, ids);
      return ids.flatMap((id) => entries.get(id) ?? []);
    });
  }

  async setVectors(graphId: string, given: readonly EntryVector[], { signal }: IndexOptions): Promise<void> {
    await this.#run(graphId, signal, async () => {
      const table = await this.#tables.find(graphId);
      if (table === undefined || given.length === 0) return;
      const entries = await readEntries(
        table,
        given.map(({ id }) => id),
      );
      const current = given.filter(({ id, generation }) => entries.get(id)?.generation === generation);
      if (current.length === 0) return;
      const columns = vectorColumns(current);
      const schema = await withColumns(table, columns.fields);
      const rows = await rowsOf(
        current.flatMap(({ id, embeddingModel }) => {
          const entry = entries.get(id);
          return entry === undefined ? [] : [{ ...entry, embeddingModel }];
        }),
      );
      const result = await table
        .mergeInsert('id')
        .whenMatchedUpdateAll({ where: 'target.generation = source.generation' })
        .execute(await arrowTable(rows, schema, columns));
      const { numUpdatedRows } = result;
      await this.#tables.changed(graphId, { written: numUpdatedRows, removed: numUpdatedRows });
    });
  }

  async stats(graphId: string, { signal }: IndexOptions): Promise<IndexStats> {
    return this.#run(graphId, signal, async () => {
      const table = await this.#tables.find(graphId);
      if (table === undefined) return { entries: 0, byModel: {} };
      const found = await table.query().select(['embedding_model']).toArrow();
      const byModel = new Map<string, number>();
      for (const model of found.getChild('embedding_model') ?? []) {
        if (model !== null) byModel.set(model, (byModel.get(model) ?? 0) + 1);
      }
      return { entries: found.numRows, byModel: Object.fromEntries(byModel) };
    });
  }

  async close(): Promise<void> {
    await this.#tables.close();
  }

  /** Repeats work that conflicts with another process or whose table one removed; other failures are index errors. */
  async #run<T>(graphId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      signal.throwIfAborted();
      try {
        return await this.#tables.whileOpen(work);
      } catch (error) {
        if (error instanceof RangeError) throw error;
        if (attempt < maxAttempts && isConflict(error)) continue;
        if (attempt >= maxAttempts || !isMissing(error)) {
          throw new SearchIndexError('The search index failed.', { cause: error, isDamaged: isDamaged(error) });
        }
        this.#tables.forget(graphId);
      }
    }
  }
}

const isConflict = (error: unknown): boolean => error instanceof Error && /commit conflict/i.test(error.message);

/** Another process has removed the graph, so the table is opened anew. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error && /not found: \S*\.lance\b|table .* not found|no such file/i.test(error.message);

/** The messages of failures that other files would not prevent. */
const causedOutside = /os error|no space left|permission denied|resources exhausted|out of memory|timed out|is closed/i;

/**
 * True for all other failures: files of the table are missing, cut off, or have other bytes than were written, for which
 * the engine has many messages.
 */
function isDamaged(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return isMissing(error) || !(isConflict(error) || causedOutside.test(error.message));
}

/** Adds the columns for vectors that the table lacks, and returns its schema. */
async function withColumns(table: LanceTable, fields: readonly Field[]): Promise<Schema> {
  const before = await table.schema();
  const missing = fields.filter(({ name }) => !before.fields.some((field) => field.name === name));
  if (missing.length === 0) return before;
  await table.addColumns(
    missing.map(({ name, type }) => ({ name, valueSql: `arrow_cast(NULL, '${arrowName(type)}')` })),
  );
  return table.schema();
}

const arrowName = (type: { readonly listSize?: number }): string => `FixedSizeList(${type.listSize}, Float32)`;

async function rankedByText(
  table: LanceTable,
  { text, condition, limit }: { readonly text: string; readonly condition: string | undefined; readonly limit: number },
): Promise<readonly RankedEntry[]> {
  const terms = queryTerms(text).join(' ');
  if (terms === '') return [];
  const query = new MultiMatchQuery(terms, Object.keys(termColumns), { boosts: Object.values(termColumns) });
  const search = table.query().fullTextSearch(query).select(['id', 'filing_date', '_score']).limit(limit);
  if (condition !== undefined) search.where(condition);
  return ranked(await search.toArrow(), '_score', (score) => score);
}

async function rankedByVector(
  table: LanceTable,
  {
    vector: { values, model },
    condition,
    limit,
  }: {
    readonly vector: NonNullable<IndexQuery['vector']>;
    readonly condition: string | undefined;
    readonly limit: number;
  },
): Promise<readonly RankedEntry[]> {
  const column = vectorColumn(model);
  if (values.every((value) => value === 0) || !(await hasColumn(table, column))) return [];
  const nearest = table.query().nearestTo(values) as VectorQuery;
  const search = nearest.column(column).distanceType('cosine').select(['id', 'filing_date', '_distance']).limit(limit);
  // Entries of other models have no value in the column, and are near to nothing.
  if (condition !== undefined) search.where(condition);
  const all = ranked(await search.toArrow(), '_distance', (distance) => 1 - distance);
  return all.filter(({ score }) => score >= leastCosine);
}

/** The columns of tables as they were last read; they stay true, because no column is ever removed. */
const knownColumns = new WeakMap<LanceTable, Set<string>>();

async function hasColumn(table: LanceTable, column: string): Promise<boolean> {
  if (knownColumns.get(table)?.has(column) === true) return true;
  const names = (await table.schema()).fields.map(({ name }) => name);
  knownColumns.set(table, new Set(names));
  return names.includes(column);
}

/** The rows of a result in the order of ai-surface SR-16. */
function ranked(
  found: Awaited<ReturnType<VectorQuery['toArrow']>>,
  column: string,
  scoreOf: (value: number) => number,
): readonly RankedEntry[] {
  const ids = found.getChild('id');
  const dates = found.getChild('filing_date');
  const scores = found.getChild(column);
  const rows = Array.from({ length: found.numRows }, (_row, at) => ({
    id: ids?.get(at) as string,
    filingDate: (dates?.get(at) ?? null) as string | null,
    score: scoreOf(scores?.get(at) as number),
  }));
  rows.sort(
    (a, b) => b.score - a.score || byCodePoints(b.filingDate ?? '', a.filingDate ?? '') || byCodePoints(a.id, b.id),
  );
  return rows.map(({ id, score }) => ({ id, score }));
}

const byCodePoints = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

async function readEntries(table: LanceTable, ids: readonly string[]): Promise<ReadonlyMap<string, FoundEntry>> {
  const entries = new Map<string, FoundEntry>();
  const distinct = [...new Set(ids)];
  for (let at = 0; at < distinct.length; at += maxReadEntries) {
    const some = distinct.slice(at, at + maxReadEntries);
    const found = await table
      .query()
      .where(isOneOf(some))
      .select([...readColumns])
      .limit(some.length)
      .toArrow();
    for (const row of found) {
      const entry = entryOf(row.toJSON());
      entries.set(entry.id, entry);
    }
  }
  return entries;
}
