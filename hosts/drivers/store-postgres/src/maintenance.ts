import type { Connections } from './connections.ts';

/** Commits before the first check of the tables; each later check comes after twice as many. */
const firstLookCommits = 64;
/** A transaction that took this long may have written many rows. */
const longTransactionMs = 1_000;
/** Interval of checks for an engine without its own maintenance, while it is being written to. */
const lookMs = 60_000;
const maxTables = 200;

interface ChangedTable {
  /** As SQL. */
  readonly name: string;
  readonly is_changed: boolean;
  /** Dead rows take space, and an index alone answers a statement only for pages that were vacuumed. */
  readonly is_vacuum_due: boolean;
}

/** The tables that a server's autovacuum would analyze or vacuum by its default thresholds. */
const changedTables = `
  SELECT format('%I.%I', s.schemaname, s.relname) AS name,
    s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0) AS is_changed,
    s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0)
      OR s.n_ins_since_vacuum > 1000 + 0.2 * greatest(c.reltuples, 0) AS is_vacuum_due
  FROM pg_stat_user_tables AS s JOIN pg_class AS c ON c.oid = s.relid
  WHERE s.n_mod_since_analyze > 50 OR s.n_dead_tup > 50 OR s.n_ins_since_vacuum > 1000
  ORDER BY s.n_mod_since_analyze DESC LIMIT ${maxTables}`;

/**
 * Keeps planner statistics current for tables that grow fast. A session keeps plans from when the tables were small,
 * whose joins take cubic time, until statistics are gathered. A server does that once a minute, which is too late for
 * the initial load of a graph; the embedded engine never does, nor does it vacuum dead rows.
 */
export class Upkeep {
  readonly #connections: Connections;
  #commits = 0;
  #nextCommits = firstLookCommits;
  #lookedMs = performance.now();
  #look: Promise<void> | undefined;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** Records a commit that may have written, and checks the tables concurrently with other work when it is due. */
  committed(tookMs: number): void {
    this.#commits += 1;
    if (this.#look !== undefined || !this.#isDue(tookMs)) return;
    while (this.#nextCommits <= this.#commits) this.#nextCommits *= 2;
    this.#lookedMs = performance.now();
    this.#look = this.#lookAfter()
      // No acknowledged write depends on it, and the next check tries again.
      .catch(() => undefined)
      .finally(() => {
        this.#look = undefined;
      });
  }

  /** Resolves when no check is running. */
  async idle(): Promise<void> {
    await this.#look;
  }

  #isDue(tookMs: number): boolean {
    if (this.#commits >= this.#nextCommits || tookMs > longTransactionMs) return true;
    return !this.#connections.hasOwnUpkeep && performance.now() - this.#lookedMs > lookMs;
  }

  async #lookAfter(): Promise<void> {
    const tables = await this.#connections.asOwner(async (client) => {
      const { rows } = await client.query<ChangedTable>(changedTables);
      const changed = rows.filter((table) => table.is_changed).map((table) => table.name);
      if (changed.length > 0) await client.query(`ANALYZE ${changed.join(', ')}`);
      return rows;
    });
    if (this.#connections.hasOwnUpkeep) return;
    for (const { name, is_vacuum_due: isDue } of tables) {
      // With one session for all callers, others get their turn between two tables.
      if (isDue) await this.#connections.asOwner((client) => client.query(`VACUUM ${name}`));
    }
  }
}
