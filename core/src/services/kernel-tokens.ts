import { type Collection, type CollectionEntry, createCollection, createToken } from '../container/token.ts';
import type { Caller, Log, WriteBlock } from '../define/context.ts';
import type { AnalyticalSchema } from '../store/analytical.ts';
import type { Embedder } from '../store/embedder.ts';
import type { FileStore } from '../store/file-store.ts';
import type { GraphStore } from '../store/graph-store.ts';
import type { LanguageModel } from '../store/language-model.ts';
import type { SearchIndex } from '../store/search-index.ts';
import type { StagingStore } from '../store/staging-store.ts';
import type { Store, Transaction } from '../store/store.ts';

/** The source of time, so that tests can fix it. */
export interface Clock {
  now(): Date;
}

/** Makes `<prefix>_<ULID>` ids, monotonic within a process. */
export interface Ids {
  make(prefix: string): string;
}

/** The facts of a graph that do not depend on the caller. */
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

/** A graph whose analytical graph is older than its records. */
export interface StaleGraph extends GraphRecord {
  /** When a write last marked it, to within a few seconds. */
  readonly markedAt: Date;
}

/** The states of a graph after its creation. */
export type SettledStatus = 'active' | 'suspended' | 'deprovisioned' | 'deleted';

/** The registry of graphs. Rights are checked by the pipeline before a handler runs. */
export interface Graphs {
  find(tx: Transaction, graphId: string): Promise<GraphRecord | undefined>;
  /** Lists the active and suspended graphs of an organization, without subgraphs; in a kernel transaction. */
  ofOrg(tx: Transaction, orgId: string): Promise<readonly GraphRecord[]>;
  /** True if the user has a role on the graph, by a grant or in its organization; in a kernel transaction. */
  hasMember(tx: Transaction, graphId: string, userId: string): Promise<boolean>;
  /** Counts the subgraphs of a graph; in a kernel transaction. */
  subgraphCount(tx: Transaction, graphId: string): Promise<number>;
  /** Marks the analytical graph stale, since now or since an earlier time; cheap if it already is. */
  markStale(tx: Transaction, graphId: string, reason: string, since?: Date): Promise<void>;
  /**
   * Marks the analytical graph stale because it was replaced on purpose, such as by a backup. It is not refreshed until a
   * write marks it again (graphs B-20).
   */
  markReplaced(tx: Transaction, graphId: string, reason: string): Promise<void>;
  /**
   * Lists stale entity graphs that accept writes and were last marked before `quietSince`, longest quiet first; in a
   * kernel transaction. `after` is the last one of the page before.
   */
  quietStale(
    tx: Transaction,
    page: { readonly quietSince: Date; readonly after?: StaleGraph | undefined; readonly limit: number },
  ): Promise<readonly StaleGraph[]>;
  /** Blocks or unblocks writes to a graph, depending on its subscription (platform P-7, B-2); null unblocks. */
  setWriteBlock(tx: Transaction, graphId: string, block: WriteBlock | null, isPastDue?: boolean): Promise<void>;
  /** Sets the state of a graph that exists: a suspended one is 403, a deprovisioned one 404 (platform B-4). */
  setStatus(tx: Transaction, graphId: string, status: SettledStatus): Promise<void>;
  setTier(tx: Transaction, graphId: string, tier: string): Promise<void>;
  /** Adds a domain to a graph, in the graph's transaction; false if the graph has it already. */
  addExtension(tx: Transaction, graphId: string, domain: string): Promise<boolean>;
  /** Clears the stale mark before a rebuild reads, so that later writes set it again. Returns the cleared mark. */
  clearStale(tx: Transaction, graphId: string): Promise<{ readonly since: Date; readonly reason: string } | undefined>;
}

/** The first entity of a new graph, as requested. */
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

/** Provisions a domain when a graph is created with it or gets it later, in that transaction and the graph's scope. */
export interface GraphProvisioner extends CollectionEntry {
  /** The neutral domain name, such as `ledger`. */
  readonly domain: string;
  provision(args: {
    readonly tx: Transaction;
    readonly graphId: string;
    readonly caller: Caller;
    /** Null when the request has none, as when the graph gets the domain later. */
    readonly entity: InitialEntity | null;
    readonly now: Date;
  }): Promise<void>;
}

/** The domains of a deployment, with the names that the wire may use for them. */
export interface Domains {
  /** Returns the neutral name of a wire name, or undefined if no loaded plugin owns it. */
  resolve(wireName: string): string | undefined;
  /** Returns the name that published clients use: the first alias, or the neutral name. */
  wireName(domain: string): string;
  all(): readonly { readonly domain: string; readonly title: string; readonly plugin: string }[];
  /** The domains that a graph with this one must have: those its plugin requires, or those of its `dependsOn`. */
  requiredBy(domain: string): readonly string[];
}

/** The tokens of the kernel's services that any part may use. */
export const kernel = {
  store: createToken<Store>('kernel.store'),
  graphStore: createToken<GraphStore>('kernel.graph-store'),
  fileStore: createToken<FileStore>('kernel.file-store'),
  stagingStore: createToken<StagingStore>('kernel.staging-store'),
  searchIndex: createToken<SearchIndex>('kernel.search-index'),
  embedder: createToken<Embedder>('kernel.embedder'),
  languageModel: createToken<LanguageModel>('kernel.language-model'),
  clock: createToken<Clock>('kernel.clock'),
  ids: createToken<Ids>('kernel.ids'),
  log: createToken<Log>('kernel.log'),
  graphs: createToken<Graphs>('kernel.graphs'),
  domains: createToken<Domains>('kernel.domains'),
  /** The analytical types of all plugins of this deployment. */
  analyticalSchema: createToken<AnalyticalSchema>('kernel.analytical-schema'),
  graphProvisioners: createCollection<GraphProvisioner>('kernel.graph-provisioners') as Collection<GraphProvisioner>,
} as const;
