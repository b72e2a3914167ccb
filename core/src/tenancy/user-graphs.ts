import { sql } from 'kysely';
import { createToken, type Token } from '../container/token.ts';
import type { Caller, Graph, GraphRole } from '../define/context.ts';
import type { KernelGraph } from '../rows.gen.ts';
import type { Domains } from '../services/kernel-tokens.ts';
import { columnsOf, type RowOf } from '../store/columns.ts';
import type { Store, Transaction } from '../store/store.ts';
import { isInKeyScope } from './graph-id.ts';
import { hasRoleOnGraph, isUsable, roleOnGraph } from './graph-rows.ts';

const maxGraphs = 1000;

/** A graph in the list of a user; field names are those of the wire. */
export interface GraphListEntry {
  readonly graphId: string;
  readonly graphName: string;
  readonly role: string;
  readonly isSelected: boolean;
  readonly createdAt: string;
  readonly description: string;
  readonly tags: string[];
  readonly isRepository: boolean;
  readonly repositoryType: null;
  readonly schemaExtensions: string[];
  readonly isSubgraph: boolean;
  readonly parentGraphId: string | null;
  readonly graphType: string;
  readonly status: string;
}

const graphColumns = columnsOf<KernelGraph>('g')(
  'graph_id',
  'name',
  'created_at',
  'description',
  'tags',
  'extensions',
  'parent_id',
  'graph_type',
  'status',
);

type ListRow = RowOf<typeof graphColumns> & { readonly role: GraphRole; readonly is_selected: boolean };

export const userGraphs: Token<UserGraphs> = createToken('kernel.user-graphs');

/** The graphs that a user can access, and the selected one. */
export class UserGraphs {
  readonly #store: Store;
  readonly #domains: Domains;

  constructor(use: { readonly store: Store; readonly domains: Domains }) {
    this.#store = use.store;
    this.#domains = use.domains;
  }

  /**
   * Lists the selected graph first, then by age, each with its subgraphs; a bound key sees only its own (graphs G-50,
   * platform K-3).
   */
  async list(caller: Caller): Promise<{ graphs: GraphListEntry[]; selectedGraphId: string | null }> {
    const rows = await this.#store.transaction('kernel', (tx) => listRows(tx, caller.userId), { readOnly: true });
    const scope = caller.scopeGraphId;
    const reached = scope === undefined ? rows : rows.filter((row) => isInKeyScope(scope, row.graph_id));
    const selected = reached.find((row) => row.is_selected);
    return { graphs: reached.map((row) => this.#toEntry(row)), selectedGraphId: selected?.graph_id ?? null };
  }

  /** Stores the caller's selection; selecting it again succeeds (graphs G-51). */
  async select(caller: Caller, graph: Graph): Promise<void> {
    await this.#store.transaction('kernel', (tx) => selectGraph(tx, caller.userId, graph.id));
  }

  #toEntry(row: ListRow): GraphListEntry {
    return {
      graphId: row.graph_id,
      graphName: row.name,
      role: row.role,
      isSelected: row.is_selected,
      createdAt: row.created_at.toISOString(),
      description: row.description,
      tags: [...row.tags],
      isRepository: false,
      repositoryType: null,
      schemaExtensions: row.extensions.map((domain) => this.#domains.wireName(domain)),
      isSubgraph: row.parent_id !== null,
      parentGraphId: row.parent_id,
      graphType: row.graph_type,
      status: row.status,
    };
  }
}

/** Stores a graph as the user's selection, in a kernel transaction. */
export async function selectGraph(tx: Transaction, userId: string, graphId: string): Promise<void> {
  await tx.query(sql`
    INSERT INTO kernel_selected_graph (user_id, graph_id) VALUES (${userId}, ${graphId})
    ON CONFLICT (user_id) DO UPDATE SET graph_id = excluded.graph_id`);
}

/** Only members of the owning organization have grants (platform P-3), so its graphs are the complete list. */
function listRows(tx: Transaction, userId: string): Promise<readonly ListRow[]> {
  return tx.query<ListRow>(sql`
    SELECT ${graphColumns}, ${roleOnGraph} AS role,
      s.graph_id IS NOT NULL AS is_selected
    FROM kernel_graph g
    LEFT JOIN kernel_graph p ON p.graph_id = g.parent_id
    JOIN kernel_org_user m ON m.user_id = ${userId} AND m.org_id = g.org_id
    LEFT JOIN kernel_graph_user a ON a.user_id = ${userId} AND a.graph_id = COALESCE(g.parent_id, g.graph_id)
    LEFT JOIN kernel_selected_graph s ON s.user_id = ${userId} AND s.graph_id = g.graph_id
    LEFT JOIN kernel_selected_graph f ON f.user_id = ${userId} AND f.graph_id = COALESCE(g.parent_id, g.graph_id)
    WHERE ${hasRoleOnGraph} AND ${isUsable} AND COALESCE(p.status, 'active') IN ('active', 'suspended')
    ORDER BY f.graph_id IS NULL AND s.graph_id IS NULL, COALESCE(p.created_at, g.created_at),
      COALESCE(g.parent_id, g.graph_id), g.parent_id IS NOT NULL, g.created_at, g.graph_id
    LIMIT ${maxGraphs}`);
}
