import { columnsOf, isStorable, type RawBuilder, type RowOf, sql, type Transaction } from '@pacioli/core';
import type { MemoryRecord } from '../rows.gen.ts';
import type { StoredMemory } from '../tokens.ts';

const columns = columnsOf<MemoryRecord>()(
  'id',
  'text',
  'source',
  'memory_type',
  'tags',
  'source_ref',
  'provenance',
  'created_by',
  'created_at',
  'updated_at',
);

type MemoryRow = RowOf<typeof columns>;

export interface MemoryFilter {
  readonly memoryType?: string | undefined;
  readonly source?: string | undefined;
}

/** A vector with the name of its embedder. */
export interface StoredVector {
  readonly model: string;
  readonly bytes: Uint8Array;
}

/** A memory with the columns that are written and not read back with it. */
export interface WrittenMemory extends StoredMemory {
  readonly textKey: string;
  readonly vector: StoredVector | null;
}

/** The memories of a graph as rows. */
export class StoredMemories {
  /** Lets one writer of a graph continue at a time, so that two cannot both pass the checks of limit and repetition. */
  async lock(tx: Transaction): Promise<void> {
    await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`pacioli.memory.${tx.graphId}`}, 0))`);
  }

  async count(tx: Transaction, filter: MemoryFilter = {}): Promise<number> {
    const [row] = await tx.query(sql<{ total: number }>`
      SELECT count(*) AS total FROM memory_record WHERE ${matching(tx, filter)}`);
    return row?.total ?? 0;
  }

  /** Newest first (ME-8). */
  async list(
    tx: Transaction,
    filter: MemoryFilter,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<readonly StoredMemory[]> {
    const rows = await tx.query(sql<MemoryRow>`
      SELECT ${columns} FROM memory_record WHERE ${matching(tx, filter)}
      ORDER BY created_at DESC, id DESC LIMIT ${page.limit} OFFSET ${page.offset}`);
    return rows.map(memoryOf);
  }

  async find(tx: Transaction, id: string): Promise<StoredMemory | undefined> {
    if (!isStorable(id)) return undefined; // A path can have U+0000, which a query cannot.
    const [row] = await tx.query(sql<MemoryRow>`
      SELECT ${columns} FROM memory_record WHERE graph_id = ${tx.graphId} AND id = ${id}`);
    return row === undefined ? undefined : memoryOf(row);
  }

  /** The memory of a type with the same text (ME-12). */
  async findText(tx: Transaction, memoryType: string, textKey: string): Promise<StoredMemory | undefined> {
    const [row] = await tx.query(sql<MemoryRow>`
      SELECT ${columns} FROM memory_record
      WHERE graph_id = ${tx.graphId} AND memory_type = ${memoryType} AND text_key = ${textKey}`);
    return row === undefined ? undefined : memoryOf(row);
  }

  async insert(tx: Transaction, memory: WrittenMemory): Promise<void> {
    await tx.query(sql`
      INSERT INTO memory_record (graph_id, id, text, text_key, source, memory_type, tags, source_ref, provenance,
        created_by, created_at, updated_at, vector, vector_model)
      VALUES (${tx.graphId}, ${memory.id}, ${memory.text}, ${memory.textKey}, ${memory.source}, ${memory.memoryType},
        ${asTexts(memory.tags)}, ${memory.sourceRef}, ${asJson(memory.provenance)},
        ${memory.createdBy}, ${memory.createdAt}, ${memory.updatedAt},
        ${memory.vector?.bytes ?? null}, ${memory.vector?.model ?? null})`);
  }

  /** Writes the fields that can change, and the vector unless it is unchanged. */
  async update(
    tx: Transaction,
    memory: Omit<WrittenMemory, 'vector'>,
    vector: StoredVector | null | 'unchanged',
  ): Promise<void> {
    const newVector =
      vector === 'unchanged'
        ? sql``
        : sql`, vector = ${vector?.bytes ?? null}::bytea, vector_model = ${vector?.model ?? null}, refused_by = NULL`;
    await tx.query(sql`
      UPDATE memory_record SET text = ${memory.text}, text_key = ${memory.textKey}, memory_type = ${memory.memoryType},
        tags = ${asTexts(memory.tags)}, source_ref = ${memory.sourceRef}, provenance = ${asJson(memory.provenance)},
        updated_at = ${memory.updatedAt} ${newVector}
      WHERE graph_id = ${tx.graphId} AND id = ${memory.id}`);
  }

  /** Deletes a memory; false if the graph has none with this id. */
  async delete(tx: Transaction, id: string): Promise<boolean> {
    const rows = await tx.query(sql<Pick<MemoryRecord, 'id'>>`
      DELETE FROM memory_record WHERE graph_id = ${tx.graphId} AND id = ${id} RETURNING id`);
    return rows.length > 0;
  }

  /** The memories with these ids. */
  async byIds(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, StoredMemory>> {
    const rows = await tx.query(sql<MemoryRow>`
      SELECT ${columns} FROM memory_record WHERE graph_id = ${tx.graphId} AND id = ANY(${[...ids]}::text[])`);
    return new Map(rows.map((row) => [row.id, memoryOf(row)]));
  }

  /** The facts by which recall ranks, of all memories with a vector of the model, in batches. */
  ranked(
    tx: Transaction,
    model: string,
    filter: MemoryFilter,
    rowsPerBatch: number,
  ): AsyncIterable<readonly RankedRow[]> {
    return tx.stream(
      sql<RankedRow>`
        SELECT id, memory_type, updated_at, vector,
          CASE jsonb_typeof(provenance -> 'importance')
            WHEN 'number' THEN (provenance ->> 'importance')::double precision END AS importance
        FROM memory_record WHERE ${matching(tx, filter)} AND vector_model = ${model}`,
      rowsPerBatch,
    );
  }
}

export type RankedRow = Pick<MemoryRecord, 'id' | 'memory_type' | 'updated_at' | 'vector'> & {
  readonly importance: number | null;
};

function matching(tx: Transaction, { memoryType, source }: MemoryFilter): RawBuilder<unknown> {
  const ofType = memoryType === undefined ? sql`` : sql`AND memory_type = ${memoryType}`;
  const ofSource = source === undefined ? sql`` : sql`AND source = ${source}`;
  return sql`graph_id = ${tx.graphId} ${ofType} ${ofSource}`;
}

function asTexts(texts: readonly string[] | null): RawBuilder<unknown> {
  return texts === null ? sql`NULL` : sql`${[...texts]}::text[]`;
}

function asJson(value: object | null): RawBuilder<unknown> {
  return value === null ? sql`NULL` : sql`${JSON.stringify(value)}::text::jsonb`;
}

function memoryOf(row: MemoryRow): StoredMemory {
  return {
    id: row.id,
    text: row.text,
    source: row.source,
    memoryType: row.memory_type,
    tags: row.tags,
    sourceRef: row.source_ref,
    provenance: row.provenance as StoredMemory['provenance'], // Only objects are written.
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
