import { randomUUID } from 'node:crypto';
import { type CatalogTable, type GenerationRef, type GraphDatabases, GraphStoreError } from '@pacioli/core/ports';
import type { QueryResult } from 'neo4j-driver';
import { markStatement, missing, unmarkStatement } from './claim-marker.ts';
import { clearDatabase } from './clear-database.ts';
import type { Connections } from './connections.ts';
import { failureOf } from './failure.ts';
import { keyConstraints } from './schema-statements.ts';

/** A database with the generation that it holds, as this process knows it. */
export interface ClaimedDatabase {
  readonly address: string;
  readonly tables: readonly CatalogTable[];
}

const keyOf = ({ graphId, generation }: GenerationRef): string => `${graphId}.${generation}`;
const graphIdPattern = /^[a-zA-Z0-9_]{1,64}$/;
/** Names the remedy for operators, because callers cannot add a database. */
const noneFree =
  'All databases for graphs are in use. Remove a graph or subgraph, or add a database to the settings of the service.';
const stillEmptied = 'The database that is free next is still being emptied. Try again in two minutes.';
/** The right of a killed process to empty a database expires within this time. */
const maxEmptyingMs = 130_000;
const emptyingPollMs = 500;

/** Assigns databases to generations: claims one in the directory, then marks the database itself. */
export class Claims {
  readonly #directory: GraphDatabases;
  readonly #connections: Connections;
  /** The address of a generation never changes, and each transaction checks the mark, so this may be out of date. */
  readonly #known = new Map<string, ClaimedDatabase>();
  readonly #dropping = new Set<string>();
  readonly holder = randomUUID();

  constructor(directory: GraphDatabases, connections: Connections) {
    this.#directory = directory;
    this.#connections = connections;
  }

  /** Remembers all claims, so that a read inside of a transaction of the only connection needs no second one. */
  async warmUp(): Promise<void> {
    for (const { state, address, tables, ...ref } of await this.#directory.list())
      if (state === 'loading' || state === 'ready') this.#known.set(keyOf(ref), { address, tables });
  }

  async find(ref: GenerationRef): Promise<ClaimedDatabase | undefined> {
    requireIds(ref);
    if (this.#dropping.has(keyOf(ref))) return undefined;
    const known = this.#known.get(keyOf(ref));
    if (known !== undefined) return known;
    const found = await this.#directory.find(ref);
    if (found === undefined || found.state === 'clearing' || found.state === 'copying') return undefined;
    const { address, tables } = found;
    this.#known.set(keyOf(ref), { address, tables });
    return { address, tables };
  }

  async existing(ref: GenerationRef): Promise<ClaimedDatabase> {
    const found = await this.find(ref);
    if (found === undefined) throw missing();
    return found;
  }

  /** The databases that this process knows to hold a graph. */
  get count(): number {
    return this.#known.size;
  }

  /** Forgets what turned out to be out of date. */
  forget(ref: GenerationRef): void {
    this.#known.delete(keyOf(ref));
  }

  async generations(graphId: string): Promise<readonly number[]> {
    requireIds({ graphId, generation: 0 });
    const found = await this.#directory.list(graphId);
    return found.filter(({ state }) => state !== 'clearing').map(({ generation }) => generation);
  }

  /** Claims a database and creates the constraints of its tables. A copy is visible only when it is published. */
  async claim(
    ref: GenerationRef,
    tables: readonly CatalogTable[],
    state: 'loading' | 'copying',
  ): Promise<ClaimedDatabase> {
    requireIds(ref);
    const unusable = new Map<string, GraphStoreError>();
    const deadline = Date.now() + maxEmptyingMs;
    for (;;) {
      const addresses = this.#connections.addresses.filter((address) => !unusable.has(address));
      const wanted = { state, tables, addresses };
      let claimed = await this.#directory.claim(ref, wanted);
      if (claimed === 'exists') await this.#requireEnded(ref);
      if (claimed === 'exists' || claimed === undefined) claimed = await this.#afterReclaim(ref, wanted);
      if (claimed === 'exists') throw existsAlready();
      if (claimed === undefined && (await this.#isEmptied(addresses))) {
        if (Date.now() > deadline) throw new GraphStoreError('unavailable', stillEmptied);
        await new Promise((resolve) => setTimeout(resolve, emptyingPollMs));
        continue;
      }
      if (claimed === undefined) throw noDatabase([...unusable.values()]);
      try {
        await this.#prepare(claimed.address, ref, tables);
        if (state === 'loading') this.#known.set(keyOf(ref), { address: claimed.address, tables });
        return { address: claimed.address, tables };
      } catch (error) {
        if (!(error instanceof Unusable)) throw failureOf(error);
        await this.#directory.free(ref);
        unusable.set(claimed.address, error.reason);
      }
    }
  }

  async publish(ref: GenerationRef, database: ClaimedDatabase, state: 'loading' | 'ready'): Promise<void> {
    await this.#directory.setState(ref, state);
    this.#known.set(keyOf(ref), database);
  }

  /** Only the process that holds a database writes to it, takes a copy of it, or clears it. */
  hold(ref: GenerationRef, forMs: number, holder = this.holder): Promise<boolean> {
    return this.#directory.hold(ref, holder, forMs);
  }

  async release(ref: GenerationRef, holder = this.holder): Promise<void> {
    await this.#directory.release(ref, holder);
  }

  /** Removes the generation at once and its content step by step; a crash in between is resumed by the next claim. */
  async drop(ref: GenerationRef, readersEnded: () => Promise<void>): Promise<void> {
    requireIds(ref);
    const found = await this.#directory.find(ref);
    if (found === undefined) return;
    this.#dropping.add(keyOf(ref));
    this.forget(ref);
    try {
      await this.#directory.setState(ref, 'clearing');
      await this.#clear(ref, found.address, readersEnded);
    } catch (error) {
      throw failureOf(error);
    } finally {
      this.#dropping.delete(keyOf(ref));
    }
  }

  async #clear(ref: GenerationRef, address: string, readersEnded: () => Promise<void>): Promise<void> {
    const holder = randomUUID();
    const hold = (forMs: number): Promise<boolean> => this.hold(ref, forMs, holder);
    const isCleared = await clearDatabase({ connections: this.#connections, address, ref, hold, readersEnded });
    if (isCleared) await this.#directory.free(ref);
  }

  /** Finishes what other processes left behind, then claims again. */
  async #afterReclaim(
    ref: GenerationRef,
    wanted: Parameters<GraphDatabases['claim']>[1],
  ): ReturnType<GraphDatabases['claim']> {
    for (const left of await this.#directory.list()) {
      if (left.isHeld || !wanted.addresses.includes(left.address)) continue;
      if (left.state !== 'clearing' && left.state !== 'copying') continue;
      await this.#directory.setState(left, 'clearing');
      await this.#clear(left, left.address, async () => undefined).catch((error: unknown) => {
        // Its server does not answer; another database may be free.
        if (failureOf(error).code !== 'unavailable') throw error;
      });
    }
    return this.#directory.claim(ref, wanted);
  }

  /** True if a process, perhaps one that was killed, has the right to empty one of the databases. */
  async #isEmptied(addresses: readonly string[]): Promise<boolean> {
    const claims = await this.#directory.list();
    return claims.some(({ state, isHeld, address }) => state === 'clearing' && isHeld && addresses.includes(address));
  }

  /** A generation that is being removed does not exist any more. */
  async #requireEnded(ref: GenerationRef): Promise<void> {
    const found = await this.#directory.find(ref);
    if (found !== undefined && found.state !== 'clearing') throw existsAlready();
  }

  /** Marks the database and creates its constraints. One that has another mark, or content, is not ours to use. */
  async #prepare(address: string, ref: GenerationRef, tables: readonly CatalogTable[]): Promise<void> {
    const session = this.#connections.session(address, 'write');
    const run = (statement: string): Promise<QueryResult> => session.executeWrite((tx) => tx.run(statement));
    try {
      await run(markStatement(ref)).catch((error: unknown) => {
        throw new Unusable(isMarked(error) ? inUse(error) : failureOf(error));
      });
      const { records } = await run('MATCH (n) RETURN 1 AS one LIMIT 1');
      if (records.length > 0) {
        await run(unmarkStatement(ref));
        throw new Unusable(inUse());
      }
      await session.executeWrite(async (tx) => {
        for (const statement of keyConstraints(tables)) await tx.run(statement);
      });
    } catch (error) {
      // The database has our mark and perhaps some constraints, which the next claim removes.
      if (!(error instanceof Unusable)) await this.#directory.setState(ref, 'clearing');
      throw error;
    } finally {
      await this.#connections.end(session);
    }
  }
}

/** A database that this claim leaves out. */
class Unusable extends Error {
  readonly reason: GraphStoreError;

  constructor(reason: GraphStoreError) {
    super(reason.message, { cause: reason });
    this.reason = reason;
  }
}

const isMarked = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /IndexAlreadyExists|EquivalentSchemaRule/.test(String(error.code));

const existsAlready = (): GraphStoreError =>
  new GraphStoreError('database-exists', 'This generation of the graph exists already.');

const inUse = (cause?: unknown): GraphStoreError =>
  new GraphStoreError('unavailable', 'A database of the settings has content that is not of this service.', { cause });

function noDatabase(reasons: readonly GraphStoreError[]): GraphStoreError {
  const [first] = reasons;
  if (first === undefined) return new GraphStoreError('unavailable', noneFree);
  const message = `No database for graphs can be used. Of ${reasons.length} that are free: ${first.message}`;
  return new GraphStoreError('unavailable', message, { cause: first });
}

/** Only ids that match become names in the database, so that no other text can be part of a statement (graphs I-1). */
function requireIds({ graphId, generation }: GenerationRef): void {
  if (!graphIdPattern.test(graphId)) throw new GraphStoreError('database-missing', 'This is not the id of a graph.');
  if (!Number.isSafeInteger(generation) || generation < 0)
    throw new GraphStoreError('database-missing', 'A generation is a whole number from 0.');
}
