import { type RawBuilder, sql } from 'kysely';
import type { KernelChain, KernelChainBatch } from '../rows.gen.ts';
import type { Transaction } from '../store/store.ts';
import { type ChainTable, graphOf, numbers, ownRows, type VerifiedPart } from './chain-table.ts';
import { batchesAfter, unsealedAfter } from './sealed-batches.ts';
import { sealedBefore, singleSealsAfter } from './single-seals.ts';

/** The most rows that one transaction seals while it holds the lock of the chain. */
const rowsPerBatch = 2_000;

/** The end of a chain: the number of its last row, and the hash of the batch that ends with it. */
export interface ChainHead {
  readonly seq: number;
  /** SHA-256 in hexadecimal digits. */
  readonly hash: string;
}

/** The rows at the start of a chain that retention has removed. */
export interface ExpiredRows {
  readonly seq: number;
  /** The time of the newest removed row. */
  readonly until: Date;
}

type StoredChain = Pick<KernelChain, 'expired_seq' | 'expired_until' | 'last_seq' | 'settled_place'> & {
  readonly expired_hash: string;
  readonly last_hash: string;
};

/**
 * The rows of an append-only table, chained by hashes in batches, or one by one in earlier versions (decision 0029).
 * Each graph has a chain of its own; rows of no graph share one, in the scope `kernel`. The table has the columns `seq`,
 * `prev_hash` and `hash`, which new rows leave empty, an identity column for the order, and a function named
 * `<table>_chain_link` for the hashed content of a row.
 */
export class HashChain {
  readonly #table: ChainTable;

  constructor(table: ChainTable) {
    this.#table = table;
  }

  /** Seals the oldest unsealed rows as one batch, at most 2,000; returns their number. */
  async seal(tx: Transaction): Promise<number> {
    const [row] = await tx.query(sql<{ sealed: number }>`
      SELECT kernel_seal_chain(${this.#table.name}::text::regclass, ${graphOf(tx)}, ${rowsPerBatch}::integer) AS sealed`);
    return row?.sealed ?? 0;
  }

  /** Returns the end of the chain, if any. Stored elsewhere, it makes every change of an earlier row detectable. */
  async head(tx: Transaction): Promise<ChainHead | undefined> {
    const [row] = await tx.query(sql<{ readonly seq: KernelChainBatch['last_seq']; readonly hash: string }>`
      SELECT e.seq, encode(e.hash, 'hex') AS hash FROM (
        (SELECT b.last_seq AS seq, b.hash FROM kernel_chain_batch AS b WHERE b.chain = ${this.#name(tx)}
          ORDER BY b.last_seq DESC LIMIT 1)
        UNION ALL
        (SELECT t.seq, t.hash FROM ${sql.table(this.#table.name)} AS t WHERE ${ownRows(tx)} AND t.seq IS NOT NULL
          ORDER BY t.seq DESC LIMIT 1)) AS e ORDER BY e.seq DESC LIMIT 1`);
    return row;
  }

  /** Returns whether the chain has had this end: `broken` shows whether the rows up to it are as they were then. */
  async hadHead(tx: Transaction, head: ChainHead): Promise<boolean> {
    const [row] = await tx.query(sql<{ had: boolean }>`
      SELECT EXISTS (SELECT FROM kernel_chain_batch AS b WHERE b.chain = ${this.#name(tx)} AND b.last_seq = ${head.seq}
          AND encode(b.hash, 'hex') = ${head.hash})
        OR EXISTS (SELECT FROM ${sql.table(this.#table.name)} AS t WHERE ${ownRows(tx)} AND t.seq = ${head.seq}
          AND encode(t.hash, 'hex') = ${head.hash}) AS had`);
    return row?.had ?? false;
  }

  /**
   * Returns up to `maxGraphs` graphs that may have unsealed rows, longest waiting first, so that each gets a turn;
   * requires the kernel's scope. A graph whose last row was sealed a moment ago is among them until no transaction can
   * add an earlier one. Each graph costs three index lookups, however many rows it has.
   */
  async graphsToSeal(tx: Transaction, maxGraphs: number): Promise<readonly string[]> {
    const table = sql.table(this.#table.name);
    const place = sql.ref(this.#table.place);
    const rows = await tx.query(sql<{ readonly graph_id: NonNullable<KernelChain['graph_id']> }>`
      WITH RECURSIVE graphs AS (
        (SELECT t.graph_id FROM ${table} AS t WHERE t.seq IS NULL ORDER BY t.graph_id LIMIT 1)
        UNION ALL
        SELECT n.graph_id FROM graphs AS g CROSS JOIN LATERAL (SELECT t.graph_id FROM ${table} AS t
          WHERE t.seq IS NULL AND t.graph_id > g.graph_id ORDER BY t.graph_id LIMIT 1) AS n
      )
      SELECT g.graph_id FROM graphs AS g
      LEFT JOIN kernel_chain AS c ON c.name = kernel_chain_name(${this.#table.name}::text::regclass, g.graph_id)
      CROSS JOIN LATERAL (SELECT t.${place} AS place FROM ${table} AS t WHERE t.seq IS NULL AND t.graph_id = g.graph_id
        AND t.${place} > coalesce(c.settled_place, 0) ORDER BY t.${place} LIMIT 1) AS w
      ORDER BY w.place LIMIT ${maxGraphs}`);
    return rows.map((row) => row.graph_id);
  }

  /**
   * Removes the oldest batches of rows that are all older than an instant, about `maxRows` rows; only for audit tables
   * (platform P-30).
   */
  async expire(tx: Transaction, before: Date, maxRows: number): Promise<number> {
    const [row] = await tx.query(sql<{ removed: number }>`
      SELECT kernel_expire_audit(${this.#table.name}::text::regclass, ${before}::timestamptz, ${maxRows}::integer) AS removed`);
    return row?.removed ?? 0;
  }

  /** Returns the last row that retention removed, if any. */
  async expired(tx: Transaction): Promise<ExpiredRows | undefined> {
    const chain = await this.#stored(tx);
    return chain?.expired_until == null ? undefined : { seq: chain.expired_seq, until: chain.expired_until };
  }

  /**
   * Verifies the chain. Returns a message for each changed row and each gap, by its number, and stops after the first
   * part with a message. Needs a read-only transaction, whose statements see one snapshot, unless nobody else can seal.
   */
  async broken(tx: Transaction, maxBroken: number): Promise<readonly string[]> {
    const chain = await this.#stored(tx);
    let at = { seq: chain?.expired_seq ?? 0, hash: chain?.expired_hash ?? (await this.#root(tx)) };
    const forged = await sealedBefore(tx, this.#table, at.seq, maxBroken);
    if (forged.length > 0) return forged;
    for (const partAfter of [singleSealsAfter, batchesAfter]) {
      for (;;) {
        const part: VerifiedPart = await partAfter(tx, this.#table, at);
        if (part.broken.length > 0) return part.broken.slice(0, maxBroken);
        if (part.end === undefined) break;
        at = part.end;
      }
    }
    if (chain === undefined) return [];
    if (chain.last_seq > at.seq) return [`${numbers(at.seq + 1, chain.last_seq)} (missing)`];
    if (chain.last_seq < at.seq) return [`${numbers(chain.last_seq + 1, at.seq)} (not sealed by the service)`];
    if (chain.last_hash !== at.hash) return [`row ${at.seq} (does not end the chain that the service sealed)`];
    return unsealedAfter(tx, this.#table, chain.settled_place, maxBroken);
  }

  async #stored(tx: Transaction): Promise<StoredChain | undefined> {
    const [row] = await tx.query(sql<StoredChain>`
      SELECT expired_seq, encode(expired_hash, 'hex') AS expired_hash, expired_until, last_seq, encode(last_hash, 'hex') AS last_hash,
        settled_place
      FROM kernel_chain WHERE name = ${this.#name(tx)}`);
    return row;
  }

  async #root(tx: Transaction): Promise<string> {
    const [row] = await tx.query(
      sql<{ root: string }>`SELECT encode(kernel_chain_root(${this.#name(tx)}), 'hex') AS root`,
    );
    if (row === undefined) throw new Error('A query without a table returned no row.');
    return row.root;
  }

  #name(tx: Transaction): RawBuilder<string> {
    return sql<string>`kernel_chain_name(${this.#table.name}::text::regclass, ${graphOf(tx)})`;
  }
}
