import { type RawBuilder, sql } from 'kysely';
import type { KernelChain } from '../rows.gen.ts';
import type { Transaction } from '../store/store.ts';

/** The most rows that one transaction seals while it holds the lock of the chain. */
const rowsPerBatch = 2_000;

/** The most rows that one statement verifies. */
const rowsPerPart = 5_000;

/** The last sealed row of a chain. */
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

type StoredChain = Pick<KernelChain, 'expired_seq' | 'expired_until' | 'last_seq'> & {
  readonly expired_hash: string;
  readonly last_hash: string;
};

interface Link {
  readonly seq: number;
  readonly subject: string;
  readonly former: number;
  readonly is_as_sealed: boolean;
  readonly is_linked: boolean;
}

/**
 * The rows of an append-only table, chained by hashes. Each graph has a chain of its own; rows of no graph share one,
 * in the scope `kernel`. The table has the columns `seq`, `prev_hash` and `hash`, an identity column for the order, and
 * a function named `<table>_chain_link` for the hashed content of a row.
 */
export class HashChain {
  readonly #table: string;
  readonly #subject: string;

  constructor(table: string, subject: string) {
    this.#table = table;
    this.#subject = subject;
  }

  /** Seals the oldest unsealed rows, at most 2,000; returns their number. */
  async seal(tx: Transaction): Promise<number> {
    const [row] = await tx.query(sql<{ sealed: number }>`
      SELECT kernel_seal_chain(${this.#table}::text::regclass, ${graphOf(tx)}, ${rowsPerBatch}::integer) AS sealed`);
    return row?.sealed ?? 0;
  }

  /** Returns the last sealed row, if any. Stored elsewhere, it makes every change of an earlier row detectable. */
  async head(tx: Transaction): Promise<ChainHead | undefined> {
    const [row] = await tx.query(sql<ChainHead>`
      SELECT t.seq, encode(t.hash, 'hex') AS hash FROM ${sql.table(this.#table)} AS t
      WHERE ${this.#mine(tx)} AND t.seq IS NOT NULL ORDER BY t.seq DESC LIMIT 1`);
    return row;
  }

  /** Removes at most `maxRows` rows older than an instant, oldest first; only for audit tables (platform P-30). */
  async expire(tx: Transaction, before: Date, maxRows: number): Promise<number> {
    const [row] = await tx.query(sql<{ removed: number }>`
      SELECT kernel_expire_audit(${this.#table}::text::regclass, ${before}::timestamptz, ${maxRows}::integer) AS removed`);
    return row?.removed ?? 0;
  }

  /** Returns the last row that retention removed, if any. */
  async expired(tx: Transaction): Promise<ExpiredRows | undefined> {
    const chain = await this.#stored(tx);
    return chain?.expired_until == null ? undefined : { seq: chain.expired_seq, until: chain.expired_until };
  }

  /**
   * Verifies the chain. Returns a message for each changed row and each gap, by its number, and stops after the first
   * batch that has any. Needs a read-only transaction, whose statements see one snapshot, unless nobody else can seal.
   */
  async broken(tx: Transaction, maxBroken: number): Promise<readonly string[]> {
    const chain = await this.#stored(tx);
    let at = { seq: chain?.expired_seq ?? 0, hash: chain?.expired_hash ?? null };
    for (;;) {
      const part = await this.#part(tx, at, maxBroken);
      if (part.broken !== null) return part.broken.flatMap(findingsOf).slice(0, maxBroken);
      if (part.seq === null) break;
      at = { seq: part.seq, hash: part.hash };
    }
    if (chain === undefined || (chain.last_seq === at.seq && chain.last_hash === (at.hash ?? chain.last_hash)))
      return [];
    const [first, last] = chain.last_seq > at.seq ? [at.seq + 1, chain.last_seq] : [chain.last_seq + 1, at.seq];
    return [`${numbers(first, last)} (${chain.last_seq > at.seq ? 'missing' : 'not sealed by the service'})`];
  }

  async #part(tx: Transaction, at: { readonly seq: number; readonly hash: string | null }, maxBroken: number) {
    const root = sql`kernel_chain_root(kernel_chain_name(${this.#table}::text::regclass, ${graphOf(tx)}))`;
    const [part] = await tx.query(sql<{ seq: number | null; hash: string; broken: readonly Link[] | null }>`
      WITH part AS (
        SELECT t.seq, t.prev_hash, t.hash, t.${sql.ref(this.#subject)} AS subject, ${sql.ref(`${this.#table}_chain_link`)}(t) AS link
        FROM ${sql.table(this.#table)} AS t WHERE ${this.#mine(tx)} AND t.seq > ${at.seq} ORDER BY t.seq LIMIT ${rowsPerPart}
      ), linked AS (
        SELECT l.seq, l.hash, l.subject, coalesce(lag(l.seq) OVER chain, ${at.seq}) AS former,
          l.hash = kernel_chain_hash(l.prev_hash, l.seq, l.link) AS is_as_sealed,
          l.prev_hash = coalesce(lag(l.hash) OVER chain, decode(${at.hash}::text, 'hex'), ${root}) AS is_linked
        FROM part AS l WINDOW chain AS (ORDER BY l.seq)
      )
      SELECT (SELECT max(seq) FROM linked) AS seq, encode((SELECT hash FROM linked ORDER BY seq DESC LIMIT 1), 'hex') AS hash,
        (SELECT jsonb_agg(to_jsonb(b) - 'hash' ORDER BY b.seq) FROM (
          SELECT * FROM linked WHERE NOT (is_as_sealed AND is_linked AND seq = former + 1) ORDER BY seq LIMIT ${maxBroken}) AS b) AS broken`);
    if (part === undefined) throw new Error('An aggregate query returned no row.');
    return part;
  }

  async #stored(tx: Transaction): Promise<StoredChain | undefined> {
    const [row] = await tx.query(sql<StoredChain>`
      SELECT expired_seq, encode(expired_hash, 'hex') AS expired_hash, expired_until, last_seq, encode(last_hash, 'hex') AS last_hash
      FROM kernel_chain WHERE name = kernel_chain_name(${this.#table}::text::regclass, ${graphOf(tx)})`);
    return row;
  }

  #mine(tx: Transaction): RawBuilder<unknown> {
    const graph = graphOf(tx);
    return graph === null ? sql`true` : sql`t.graph_id = ${graph}`;
  }
}

const graphOf = (tx: Transaction): string | null => (tx.scope === 'kernel' ? null : tx.scope.graphId);

const numbers = (first: number, last: number): string => (first === last ? `row ${first}` : `rows ${first} to ${last}`);

function findingsOf(link: Link): readonly string[] {
  const gap = link.seq > link.former + 1 ? [`${numbers(link.former + 1, link.seq - 1)} (missing)`] : [];
  const row = `row ${link.seq} ${link.subject}`;
  if (!link.is_as_sealed) return [...gap, `${row} (changed)`];
  return link.is_linked || gap.length > 0 ? gap : [`${row} (does not follow the previous row)`];
}
