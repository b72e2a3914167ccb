import type { Caller, Log, WriteBlock } from '../define/context.ts';
import type { AnalyticalSchema } from '../store/analytical.ts';
import type { GraphStore } from '../store/graph-store.ts';
import type { Store, Transaction } from '../store/store.ts';
import { type Collection, type CollectionEntry, createCollection, createToken } from './token.ts';

/** Time and ids come from here, so that tests can fix them. */
export interface Clock {
  now(): Date;
}

/** Makes `<prefix>_<ULID>` ids, monotonic within a process. */
export interface Ids {
  make(prefix: string): string;
}

/** What is known of a graph without asking who calls. */
export interface GraphRecord {
  readonly id: string;
  readonly orgId: string;
  readonly name: string;
  readonly type: string;
  readonly tier: string;
  readonly status: string;
  readonly extensions: readonly string[];
  readonly parentId?: string;
  readonly createdAt: Date;
  readonly staleSince?: Date;
  readonly staleReason?: string;
}

/** The states of a graph that was made. */
export type SettledStatus = 'active' | 'suspended' | 'deprovisioned' | 'deleted';

/** The registry of graphs. Rights are checked by the pipeline before a handler runs. */
export interface Graphs {
  find(tx: Transaction, graphId: string): Promise<GraphRecord | undefined>;
  /** The graphs of an organization that can be entered or were suspended, without subgraphs; in a kernel transaction. */
  ofOrg(tx: Transaction, orgId: string): Promise<readonly GraphRecord[]>;
  /** How many subgraphs a graph has; in a kernel transaction. */
  subgraphCount(tx: Transaction, graphId: string): Promise<number>;
  /** Marks the analytical graph stale; cheap when it is so already. */
  markStale(tx: Transaction, graphId: string, reason: string): Promise<void>;
  /** Takes the stale mark away before a rebuild reads, so that later writes set it again. Returns what it said. */
  /** Opens or closes a graph for writes, as its subscription says (platform P-7, B-2); null opens it. */
  setWriteBlock(tx: Transaction, graphId: string, block: WriteBlock | null, isPastDue?: boolean): Promise<void>;
  /** Sets the state of a graph that exists: suspended ones answer 403, deprovisioned ones 404 (platform B-4). */
  setStatus(tx: Transaction, graphId: string, status: SettledStatus): Promise<void>;
  setTier(tx: Transaction, graphId: string, tier: string): Promise<void>;
  clearStale(tx: Transaction, graphId: string): Promise<{ readonly since: Date; readonly reason: string } | undefined>;
}

/** The first company of a new graph, as the request gave it. */
export interface InitialEntity {
  readonly name: string;
  readonly uri: string;
  readonly ticker?: string | null;
  readonly cik?: string | null;
  readonly sic?: string | null;
  readonly sic_description?: string | null;
  readonly category?: string | null;
  readonly state_of_incorporation?: string | null;
  /** MM-DD. */
  readonly fiscal_year_end?: string | null;
  readonly ein?: string | null;
  readonly entity_type?: string | null;
  readonly reporting_style_id?: string | null;
}

/** What a domain does when a graph is created with it; runs in the creating transaction, in the graph's scope. */
export interface GraphProvisioner extends CollectionEntry {
  /** The neutral domain name, such as `ledger`. */
  readonly domain: string;
  provision(args: {
    readonly tx: Transaction;
    readonly graphId: string;
    readonly caller: Caller;
    readonly entity: InitialEntity | null;
    readonly now: Date;
  }): Promise<void>;
}

/** The domains of a deployment, with the names that the wire may use for them. */
export interface Domains {
  /** The neutral name of a wire name, or undefined when no loaded plugin owns it. */
  resolve(wireName: string): string | undefined;
  /** The name that published clients know: the first alias, or the neutral name. */
  wireName(domain: string): string;
  all(): readonly { readonly domain: string; readonly title: string; readonly plugin: string }[];
}

/** The kernel's services that any part may need. */
export const kernel = {
  store: createToken<Store>('kernel.store'),
  graphStore: createToken<GraphStore>('kernel.graph-store'),
  clock: createToken<Clock>('kernel.clock'),
  ids: createToken<Ids>('kernel.ids'),
  log: createToken<Log>('kernel.log'),
  graphs: createToken<Graphs>('kernel.graphs'),
  domains: createToken<Domains>('kernel.domains'),
  /** The analytical types of all plugins of this deployment. */
  analyticalSchema: createToken<AnalyticalSchema>('kernel.analytical-schema'),
  graphProvisioners: createCollection<GraphProvisioner>('kernel.graph-provisioners') as Collection<GraphProvisioner>,
} as const;
