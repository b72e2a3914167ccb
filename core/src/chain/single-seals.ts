import { sql } from 'kysely';
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

interface Link {
  readonly seq: number;
  readonly hash: string;
  readonly subject: string;
  readonly former: number;
  readonly is_before_batches: boolean;
  readonly is_as_sealed: boolean;
  readonly is_linked: boolean;
}

/** Verifies rows that earlier versions sealed one by one; all of them come before the first batch. */
export async function singleSealsAfter(tx: Transaction, table: ChainTable, at: ChainPosition): Promise<VerifiedPart> {
  const links = await tx.query(sql<Link>`
    WITH part AS (
      SELECT t.seq, t.prev_hash, t.hash, t.${sql.ref(table.subject)} AS subject, ${sql.ref(`${table.name}_chain_link`)}(t) AS link
      FROM ${sql.table(table.name)} AS t WHERE ${ownRows(tx)} AND t.seq > ${at.seq} ORDER BY t.seq LIMIT ${rowsPerPart}
    ), linked AS (
      SELECT l.seq, encode(l.hash, 'hex') AS hash, l.subject, coalesce(lag(l.seq) OVER chain, ${at.seq}) AS former,
        l.seq < coalesce(b.first_seq, 9223372036854775807) AS is_before_batches,
        l.hash = kernel_chain_hash(l.prev_hash, l.seq, l.link) AS is_as_sealed,
        l.prev_hash = coalesce(lag(l.hash) OVER chain, decode(${at.hash}, 'hex')) AS is_linked,
        row_number() OVER (ORDER BY l.seq DESC) = 1 AS is_last
      FROM part AS l CROSS JOIN (SELECT min(first_seq) AS first_seq FROM kernel_chain_batch
        WHERE chain = kernel_chain_name(${table.name}::text::regclass, ${graphOf(tx)})) AS b
      WINDOW chain AS (ORDER BY l.seq)
    )
    SELECT seq, hash, subject, former, is_before_batches, is_as_sealed, is_linked FROM linked
    WHERE is_last OR NOT (is_before_batches AND is_as_sealed AND is_linked AND seq = former + 1) ORDER BY seq`);
  const last = links.at(-1);
  return {
    broken: links.flatMap(findingsOf),
    end: last && { seq: last.seq, hash: last.hash },
  };
}

/** Names rows with a seal whose numbers the chain does not have: those before its start. */
export async function sealedBefore(
  tx: Transaction,
  table: ChainTable,
  start: number,
  maxBroken: number,
): Promise<readonly string[]> {
  const rows = await tx.query(sql<Pick<Link, 'seq' | 'subject'>>`
    SELECT t.seq, t.${sql.ref(table.subject)} AS subject FROM ${sql.table(table.name)} AS t
    WHERE ${ownRows(tx)} AND t.seq <= ${start} ORDER BY t.seq LIMIT ${maxBroken}`);
  return rows.map(({ seq, subject }) => `row ${seq} ${subject} (not sealed by the service)`);
}

function findingsOf(link: Link): readonly string[] {
  const row = `row ${link.seq} ${link.subject}`;
  if (!link.is_before_batches) return [`${row} (not sealed by the service)`];
  const gap = link.seq > link.former + 1 ? [`${numbers(link.former + 1, link.seq - 1)} (missing)`] : [];
  if (!link.is_as_sealed) return [...gap, `${row} (changed)`];
  return link.is_linked || gap.length > 0 ? gap : [`${row} (does not follow the previous row)`];
}
