import { type RawBuilder, sql } from 'kysely';
import type { KernelChainBatch } from '../rows.gen.ts';
import type { Transaction } from '../store/store.ts';
import {
  type ChainPosition,
  type ChainTable,
  graphOf,
  numbers,
  ownRows,
  rowsPerPart,
  type VerifiedPart,
} from './chain-table.ts';

interface Row {
  readonly seq: number;
  /** Null when the row is missing. */
  readonly subject: string | null;
}

type Batch = Pick<KernelChainBatch, 'first_seq' | 'last_seq'> & {
  readonly former: number;
  readonly hash: string;
  readonly is_as_sealed: boolean;
  /** Rows that are missing, or whose digest differs from that in the batch. */
  readonly deviating: readonly Row[] | null;
};

const nameOf = (tx: Transaction, table: ChainTable): RawBuilder<string> =>
  sql<string>`kernel_chain_name(${table.name}::text::regclass, ${graphOf(tx)})`;

/** Recomputes the batches that begin within the next rows of the chain. */
export async function batchesAfter(tx: Transaction, table: ChainTable, at: ChainPosition): Promise<VerifiedPart> {
  const place = sql.ref(table.place);
  const batches = await tx.query(sql<Batch>`
    WITH batch AS (
      SELECT b.*, coalesce(lag(b.last_seq) OVER chain, ${at.seq}) AS former,
        coalesce(lag(b.hash) OVER chain, decode(${at.hash}, 'hex')) AS prev_hash
      FROM kernel_chain_batch AS b WHERE b.chain = ${nameOf(tx, table)} AND b.last_seq > ${at.seq} AND b.first_seq <= ${rowsPerPart} + (
        SELECT min(n.last_seq) FROM kernel_chain_batch AS n WHERE n.chain = ${nameOf(tx, table)} AND n.last_seq > ${at.seq})
      WINDOW chain AS (ORDER BY b.last_seq)
    ), expected AS (
      SELECT b.last_seq, b.first_seq + p.number - 1 AS seq, p.place, substr(b.digests, (4 * p.number - 3)::integer, 4) AS digest
      FROM batch AS b CROSS JOIN LATERAL (
        SELECT s.place, row_number() OVER (ORDER BY s.place) AS number FROM unnest(b.places) AS r (part)
        CROSS JOIN LATERAL generate_series(lower(r.part), upper(r.part) - 1) AS s (place)) AS p
    ), found AS (
      SELECT e.last_seq, e.seq, e.digest, t.subject, kernel_chain_digest(e.seq, t.link) AS actual
      -- One index lookup for each row, whatever the planner expects.
      FROM expected AS e LEFT JOIN LATERAL (
        SELECT t.${sql.ref(table.subject)} AS subject, ${sql.ref(`${table.name}_chain_link`)}(t) AS link
        FROM ${sql.table(table.name)} AS t WHERE ${ownRows(tx)} AND t.seq IS NULL AND t.${place} = e.place OFFSET 0) AS t ON true
    ), digested AS (
      SELECT f.last_seq, string_agg(f.actual, '' ORDER BY f.seq) AS digests,
        jsonb_agg(jsonb_build_object('seq', f.seq, 'subject', f.subject) ORDER BY f.seq)
          FILTER (WHERE f.actual IS NULL OR substr(f.actual, 1, 4) <> f.digest) AS deviating
      FROM found AS f GROUP BY f.last_seq
    )
    SELECT b.first_seq, b.last_seq, b.former, encode(b.hash, 'hex') AS hash, d.deviating,
      coalesce(b.hash = kernel_chain_batch_hash(b.prev_hash, b.first_seq, b.last_seq, b.places, d.digests), false) AS is_as_sealed
    FROM batch AS b LEFT JOIN digested AS d ON d.last_seq = b.last_seq ORDER BY b.last_seq`);
  const last = batches.at(-1);
  return {
    broken: batches.flatMap(findingsOf),
    end: last && { seq: last.last_seq, hash: last.hash },
  };
}

function findingsOf(batch: Batch): readonly string[] {
  const { first_seq: first, last_seq: last, former } = batch;
  const gap = first > former + 1 ? [`${numbers(former + 1, first - 1)} (missing)`] : [];
  const rows = batch.deviating === null ? [] : deviations(batch.deviating);
  // After a gap the hash that the batch continues is unknown.
  if (batch.is_as_sealed || rows.length > 0 || gap.length > 0) return [...gap, ...rows];
  return [`${numbers(first, last)} (the seal of the batch does not match)`];
}

function deviations(rows: readonly Row[]): readonly string[] {
  const found: string[] = [];
  let missingFrom: number | undefined;
  for (const [index, { seq, subject }] of rows.entries()) {
    if (subject !== null) {
      found.push(`row ${seq} ${subject} (changed)`);
      continue;
    }
    missingFrom ??= seq;
    const next = rows[index + 1];
    if (next?.seq === seq + 1 && next.subject === null) continue;
    found.push(`${numbers(missingFrom, seq)} (missing)`);
    missingFrom = undefined;
  }
  return found;
}

/** Names rows that are in no batch although all up to the settled place are, which only an inserted row is not. */
export async function unsealedAfter(
  tx: Transaction,
  table: ChainTable,
  settledPlace: number,
  maxBroken: number,
): Promise<readonly string[]> {
  const place = sql.ref(table.place);
  // Forged rows can have negative places.
  let following: RawBuilder<unknown> = sql`true`;
  for (;;) {
    const [part] = await tx.query(sql<{ last: number | null; subjects: readonly string[] | null }>`
      WITH part AS (
        SELECT t.${place} AS place, t.${sql.ref(table.subject)} AS subject FROM ${sql.table(table.name)} AS t
        WHERE ${ownRows(tx)} AND t.seq IS NULL AND ${following} AND t.${place} <= ${settledPlace}
        ORDER BY t.${place} LIMIT ${rowsPerPart}
      ), bounds AS (SELECT min(place) AS first, max(place) AS last FROM part)
      SELECT d.last, (
        SELECT jsonb_agg(p.subject ORDER BY p.place) FROM part AS p WHERE NOT p.place <@ coalesce((
          SELECT range_agg(b.places) FROM kernel_chain_batch AS b WHERE b.chain = ${nameOf(tx, table)}
            AND lower(b.places) <= d.last AND upper(b.places) > d.first), '{}')) AS subjects
      FROM bounds AS d`);
    if (part === undefined) throw new Error('An aggregate query returned no row.');
    if (part.subjects !== null)
      return part.subjects.slice(0, maxBroken).map((subject) => `row of ${subject} (not sealed by the service)`);
    if (part.last === null) return [];
    following = sql`t.${place} > ${part.last}`;
  }
}
