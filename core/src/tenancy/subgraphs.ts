import { sql } from 'kysely';
import { createToken, type Token } from '../container/token.ts';
import type { Caller } from '../define/context.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { KernelGraph, KernelSubgraph } from '../rows.gen.ts';
import type { Transaction } from '../store/store.ts';
import type { SubgraphRemoval } from './subgraph-removal.ts';
import { tierNumbers } from './tier-numbers.ts';

export type SubgraphType = KernelSubgraph['subgraph_type'];

/** A subgraph: its own database, with the members, credits and limits of its parent (graphs SG-6). */
export interface Subgraph {
  readonly graphId: string;
  readonly parentId: string;
  /** The part of the id after the parent’s; in lower case. */
  readonly name: string;
  readonly index: number;
  readonly type: SubgraphType;
  readonly displayName: string;
  readonly description: string;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly status: KernelGraph['status'];
  /** The domains of its extensions, which are not always those of its parent (graphs SG-4). */
  readonly extensions: readonly string[];
  /** The number of its database, which no other subgraph ever had. */
  readonly generation: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface NewSubgraph {
  readonly parentId: string;
  readonly name: string;
  readonly type: SubgraphType;
  readonly displayName: string;
  readonly description: string;
  readonly extensions: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** False if it cannot be used before `activate`. */
  readonly isActive: boolean;
}

/** An attempt of a run to copy a graph into a subgraph. */
export interface CopyAttempt {
  readonly generation: number;
  readonly operationId: string;
  readonly attempt: number;
}

const columns = sql`g.graph_id, s.parent_id, s.name, s.subgraph_index, s.subgraph_type, g.name AS display_name,
  g.description, g.extensions, s.metadata, g.status, s.generation, g.created_at, g.updated_at`;

/** A subgraph as long as it has this database; a later one of its name has another number. */
export interface SubgraphDatabase {
  readonly graphId: string;
  readonly generation: number;
}

const hasDatabase = ({ graphId, generation }: SubgraphDatabase) => sql`EXISTS (SELECT 1 FROM kernel_subgraph s
  WHERE s.graph_id = ${graphId} AND s.generation = ${generation})`;

const isDeleting = (at: Date) => sql`status = 'deleting' AND updated_at = ${at}`;

const isCreating = sql`EXISTS (SELECT 1 FROM kernel_graph g
  WHERE g.graph_id = kernel_subgraph.graph_id AND g.status = 'creating')`;

type Row = Pick<KernelSubgraph, 'parent_id' | 'name' | 'subgraph_index' | 'subgraph_type' | 'generation'> &
  Pick<KernelGraph, 'graph_id' | 'description' | 'extensions' | 'status' | 'created_at' | 'updated_at'> & {
    readonly display_name: string;
    readonly metadata: Readonly<Record<string, unknown>> | null;
  };

/** Registers subgraphs. All but `generation` in a kernel transaction. */
export class Subgraphs {
  readonly #removals: readonly SubgraphRemoval[];

  constructor(removals: readonly SubgraphRemoval[]) {
    this.#removals = removals;
  }

  /**
   * Adds a subgraph. Requests for one parent are serialized, so that the last place is given once. Throws 403 at the
   * limit of the tier and 409 for a name in use (graphs SG-1, SG-2).
   */
  async register(
    tx: Transaction,
    wanted: NewSubgraph,
    { caller, now }: { readonly caller: Caller; readonly now: Date },
  ): Promise<Subgraph> {
    const [parent] = await tx.query(sql<
      Pick<KernelGraph, 'org_id' | 'tier' | 'graph_type' | 'status' | 'last_subgraph_index'>
    >`
      SELECT org_id, tier, graph_type, status, last_subgraph_index FROM kernel_graph
      WHERE graph_id = ${wanted.parentId} FOR UPDATE`);
    if (parent?.status !== 'active') {
      throw new ServiceError(
        'refused',
        'PARENT_NOT_ACTIVE',
        'The parent graph is not active, so it takes no subgraph.',
      );
    }
    const siblings = await this.list(tx, wanted.parentId);
    requirePlace(siblings.length, parent.tier);
    requireFreeName(wanted.name, siblings);
    const graphId = `${wanted.parentId}_${wanted.name}`;
    const index = parent.last_subgraph_index + 1;
    await tx.query(sql`UPDATE kernel_graph SET last_subgraph_index = ${index} WHERE graph_id = ${wanted.parentId}`);
    await tx.query(sql`
      INSERT INTO kernel_graph (graph_id, org_id, name, description, graph_type, tier, status, parent_id, extensions,
        created_by, created_at, updated_at)
      VALUES (${graphId}, ${parent.org_id}, ${wanted.displayName}, ${wanted.description}, ${parent.graph_type},
        ${parent.tier}, ${wanted.isActive ? 'active' : 'creating'}, ${wanted.parentId}, ${[...wanted.extensions]}::text[],
        ${caller.userId}, ${now}, ${now})`);
    await tx.query(sql`
      INSERT INTO kernel_subgraph (graph_id, parent_id, name, subgraph_index, subgraph_type, metadata)
      VALUES (${graphId}, ${wanted.parentId}, ${wanted.name}, ${index}, ${wanted.type},
        ${wanted.metadata === null ? null : JSON.stringify(wanted.metadata)}::jsonb)`);
    const made = await this.find(tx, wanted.parentId, wanted.name);
    if (made === undefined) throw new Error('The subgraph that was just registered is missing.');
    return made;
  }

  /** Lists the subgraphs of a graph, the newest first. */
  async list(tx: Transaction, parentId: string): Promise<readonly Subgraph[]> {
    const rows = await tx.query(sql<Row>`SELECT ${columns} FROM kernel_subgraph s JOIN kernel_graph g USING (graph_id)
      WHERE s.parent_id = ${parentId} ORDER BY s.subgraph_index DESC`);
    return rows.map(subgraphOf);
  }

  /** Finds a subgraph by its name; names are not case-sensitive (graphs G-3). */
  async find(tx: Transaction, parentId: string, name: string): Promise<Subgraph | undefined> {
    const [row] = await tx.query(sql<Row>`SELECT ${columns} FROM kernel_subgraph s JOIN kernel_graph g USING (graph_id)
      WHERE s.parent_id = ${parentId} AND s.name = ${name.toLowerCase()}`);
    return row === undefined ? undefined : subgraphOf(row);
  }

  /**
   * Gives a registered subgraph the number of the database that an attempt fills, so that an earlier attempt, whose
   * worker lost the run, can neither activate nor remove it. False if it is gone or usable already, or if a later
   * attempt, whose number is higher, has started.
   */
  async startCopy(tx: Transaction, graphId: string, generation: number): Promise<boolean> {
    const rows = await tx.query(sql`UPDATE kernel_subgraph SET generation = ${generation}
      WHERE graph_id = ${graphId} AND generation < ${generation} AND ${isCreating} RETURNING 1 AS started`);
    return rows.length === 1;
  }

  /** Makes a subgraph usable with the database of `startCopy`; false if another attempt has taken over. */
  async activate(
    tx: Transaction,
    graphId: string,
    made: { readonly generation: number; readonly now: Date },
  ): Promise<boolean> {
    const rows = await tx.query(sql`UPDATE kernel_graph SET status = 'active', updated_at = ${made.now}
      WHERE graph_id = ${graphId} AND status = 'creating' AND EXISTS (SELECT 1 FROM kernel_subgraph s
        WHERE s.graph_id = ${graphId} AND s.generation = ${made.generation}) RETURNING 1 AS activated`);
    return rows.length === 1;
  }

  /**
   * Removes a subgraph that is not usable yet, if no other attempt can complete it: this one still has the run, or the
   * run has ended. An attempt that lost its run without noticing must leave the row to the next one.
   */
  async abandon(tx: Transaction, graphId: string, attempt: CopyAttempt): Promise<void> {
    const [mine] = await tx.query(sql`SELECT 1 AS mine FROM kernel_subgraph
      WHERE graph_id = ${graphId} AND generation = ${attempt.generation} AND ${isCreating} FOR UPDATE`);
    if (mine === undefined) return;
    const [last] = await tx.query(sql`SELECT 1 AS last FROM kernel_operation
      WHERE id = ${attempt.operationId} AND (status IN ('cancelled', 'failed')
        OR (status = 'running' AND attempt = ${attempt.attempt})) FOR SHARE`);
    if (last !== undefined) await this.remove(tx, graphId);
  }

  /** Some subgraphs whose creation began before this time and did not end. */
  unfinished(tx: Transaction, before: Date, limit: number): Promise<readonly Pick<KernelGraph, 'graph_id'>[]> {
    return tx.query(sql<Pick<KernelGraph, 'graph_id'>>`SELECT graph_id FROM kernel_graph
      WHERE parent_id IS NOT NULL AND status = 'creating' AND created_at < ${before} LIMIT ${limit}`);
  }

  /**
   * Hides a subgraph and refuses its statements, so that nothing changes while it is backed up and removed. `at` names the
   * deletion, and `renewDeletion` replaces it. False if the subgraph has another database, or if another deletion was
   * renewed after `lostBefore`; an older one has lost its process, and this one takes its place.
   */
  async startDeletion(
    tx: Transaction,
    of: SubgraphDatabase,
    { at, lostBefore }: { readonly at: Date; readonly lostBefore: Date },
  ): Promise<boolean> {
    const rows = await tx.query(sql`UPDATE kernel_graph SET status = 'deleting', updated_at = ${at}
      WHERE graph_id = ${of.graphId} AND ${hasDatabase(of)}
        AND (status = 'active' OR (status = 'deleting' AND updated_at < ${lostBefore})) RETURNING 1 AS started`);
    return rows.length === 1;
  }

  /** Shows that the process of a deletion is alive; false if another one has taken its place, or it has ended. */
  async renewDeletion(tx: Transaction, of: SubgraphDatabase, at: Date, now: Date): Promise<boolean> {
    const rows = await tx.query(sql`UPDATE kernel_graph SET updated_at = ${now}
      WHERE graph_id = ${of.graphId} AND ${isDeleting(at)} RETURNING 1 AS renewed`);
    return rows.length === 1;
  }

  /** Makes a subgraph usable again whose deletion failed. */
  async endDeletion(tx: Transaction, of: SubgraphDatabase, at: Date, now: Date): Promise<void> {
    await tx.query(sql`UPDATE kernel_graph SET status = 'active', updated_at = ${now}
      WHERE graph_id = ${of.graphId} AND ${isDeleting(at)} AND ${hasDatabase(of)}`);
  }

  /** Makes subgraphs usable again whose deletion was not renewed since this time, and returns them. */
  async endLostDeletions(tx: Transaction, before: Date, now: Date): Promise<readonly string[]> {
    const rows = await tx.query(sql<Pick<KernelGraph, 'graph_id'>>`UPDATE kernel_graph
      SET status = 'active', updated_at = ${now}
      WHERE parent_id IS NOT NULL AND status = 'deleting' AND updated_at < ${before} RETURNING graph_id`);
    return rows.map((row) => row.graph_id);
  }

  /** Removes a subgraph after `startDeletion`; false if another deletion has taken over, or it has another database. */
  async completeDeletion(tx: Transaction, of: SubgraphDatabase, at: Date): Promise<boolean> {
    const [mine] = await tx.query(sql`SELECT 1 AS mine FROM kernel_graph
      WHERE graph_id = ${of.graphId} AND ${isDeleting(at)} AND ${hasDatabase(of)} FOR UPDATE`);
    if (mine !== undefined) await this.remove(tx, of.graphId);
    return mine !== undefined;
  }

  /** Removes the rows of a subgraph; its database is no longer reachable then. */
  async remove(tx: Transaction, graphId: string): Promise<void> {
    await tx.query(sql`DELETE FROM kernel_selected_graph WHERE graph_id = ${graphId}`);
    await tx.query(sql`DELETE FROM kernel_graph_schema WHERE graph_id = ${graphId}`);
    await tx.query(sql`DELETE FROM kernel_graph WHERE graph_id = ${graphId} AND parent_id IS NOT NULL`);
    for (const removal of this.#removals) await removal.removed(tx, graphId);
  }

  /**
   * The number of the database of a subgraph, in its scope or the kernel’s; undefined for another graph, and for a
   * subgraph that is being deleted.
   */
  async generation(tx: Transaction, graphId: string): Promise<number | undefined> {
    const [row] = await tx.query(
      sql<Pick<KernelSubgraph, 'generation'>>`SELECT generation FROM kernel_subgraph s WHERE graph_id = ${graphId}
        AND NOT EXISTS (SELECT 1 FROM kernel_graph g WHERE g.graph_id = s.graph_id AND g.status = 'deleting')`,
    );
    return row?.generation;
  }

  /** Takes a new number for a database that is being copied or restored for a subgraph. */
  async nextGeneration(tx: Transaction): Promise<number> {
    const [row] = await tx.query(
      sql<{ number: number }>`SELECT nextval('kernel_subgraph_generation')::integer AS number`,
    );
    if (row === undefined) throw new Error('A sequence always has a next number.');
    return row.number;
  }

  async setGeneration(tx: Transaction, graphId: string, generation: number): Promise<void> {
    await tx.query(sql`UPDATE kernel_subgraph SET generation = ${generation} WHERE graph_id = ${graphId}`);
  }
}

export const subgraphs: Token<Subgraphs> = createToken('kernel.subgraphs');

function subgraphOf(row: Row): Subgraph {
  return {
    graphId: row.graph_id,
    parentId: row.parent_id,
    name: row.name,
    index: row.subgraph_index,
    type: row.subgraph_type,
    displayName: row.display_name,
    description: row.description,
    metadata: row.metadata,
    status: row.status,
    extensions: row.extensions,
    generation: row.generation,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function requirePlace(count: number, tier: string): void {
  const most = tierNumbers(tier).maxSubgraphs;
  if (most < 0 || count < most) return;
  throw new ServiceError(
    'forbidden',
    'SUBGRAPH_LIMIT_REACHED',
    `Maximum subgraphs limit reached for the ${tier} tier. Current: ${count}, Maximum: ${most}. ` +
      'Delete a subgraph, or move to a larger tier.',
    { details: { current: count, maximum: most } },
  );
}

function requireFreeName(name: string, siblings: readonly Subgraph[]): void {
  const used = new Set(siblings.map((sibling) => sibling.name));
  if (!used.has(name)) return;
  let number = 2;
  while (used.has(`${name.slice(0, 18)}${number}`)) number += 1;
  const message = `A subgraph named '${name}' exists. Choose another name, such as '${name.slice(0, 18)}${number}'.`;
  throw new ServiceError('conflict', 'SUBGRAPH_NAME_IN_USE', message);
}
