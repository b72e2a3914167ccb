import type { Connections } from './connections.ts';

/** Commits after which the tables are looked at for the first time; the next time after twice as many, and so on. */
const firstLookCommits = 64;
/** A transaction that took so long may have written very much. */
const longTransactionMs = 1_000;
/** How often an engine without an upkeep of its own is looked after, as far as it is written to. */
const lookMs = 60_000;
const maxTables = 200;

interface ChangedTable {
  /** As SQL. */
  readonly name: string;
  readonly is_changed: boolean;
  readonly is_bloated: boolean;
}

/** The tables of which a server's autovacuum would say by its defaults that they have changed much. */
const changedTables = `
  SELECT format('%I.%I', s.schemaname, s.relname) AS name,
    s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0) AS is_changed,
    s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0) AS is_bloated
  FROM pg_stat_user_tables AS s JOIN pg_class AS c ON c.oid = s.relid
  WHERE s.n_mod_since_analyze > 50 OR s.n_dead_tup > 50
  ORDER BY s.n_mod_since_analyze DESC LIMIT ${maxTables}`;

/**
 * Keeps what the planner knows in step with tables that grow fast. A session keeps the plans that it made when they
 * were small, and joins of such plans take cubic time, until statistics are gathered. A server does that once a minute,
 * which is too late for the first books of a day; the embedded engine never does, nor does it clear dead rows away.
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

  /** Notes a commit that may have written, and looks at the tables beside further work when it is time. */
  committed(tookMs: number): void {
    this.#commits += 1;
    if (this.#look !== undefined || !this.#isDue(tookMs)) return;
    while (this.#nextCommits <= this.#commits) this.#nextCommits *= 2;
    this.#lookedMs = performance.now();
    this.#look = this.#lookAfter()
      // Nothing that was acknowledged depends on it, and the next look tries again.
      .catch(() => undefined)
      .finally(() => {
        this.#look = undefined;
      });
  }

  /** Resolves when nothing is under way. */
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
    for (const { name, is_bloated } of tables) {
      // One session serves everybody: others get their turn between two tables.
      if (is_bloated) await this.#connections.asOwner((client) => client.query(`VACUUM ${name}`));
    }
  }
}
