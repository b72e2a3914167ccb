import type { Authenticator } from '../auth/authenticator.ts';
import { createToken, type Token } from '../container/token.ts';
import type { Caller, Graph } from '../define/context.ts';
import type { Clock, Ids } from '../services/kernel-tokens.ts';
import type { Store } from '../store/store.ts';
import type { GraphAccess } from '../tenancy/graph-access.ts';
import { changeChannel, type HeardChange, readChange } from './changes.ts';
import { StreamSlots } from './stream-slots.ts';

/** Streams of changes that a user may have open in all processes together (ai-surface M-20f). */
const maxPerUser = 5;
/** A process that has crashed frees the places of its streams after this time (platform V-9). */
const slotMs = 30_000;

/** Tells open streams what changes on a graph, or in the rights of a caller, in whatever process (ai-surface M-20f). */
export interface ChangeFeed {
  /** Aborted when the service stops; streams end then. */
  readonly closing: AbortSignal;
  /**
   * Calls `hear` for each change of a graph and of the rights of a caller, until the result is called; it may be called
   * again. Without a change, some may have been missed. Rights that this process keeps for a moment are forgotten before
   * it is called. Throws 429 `CONCURRENCY_LIMIT` if the user has five such streams.
   */
  open(caller: Caller, graph: Graph, hear: (change: HeardChange | undefined) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export const changeFeed: Token<ChangeFeed> = createToken('kernel.change-feed');

interface FeedServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly access: Pick<GraphAccess, 'forgetGraph'>;
  readonly authenticator: Pick<Authenticator, 'forgetUser'>;
}

interface Watcher {
  readonly userId: string;
  readonly graphId: string;
  hear(change: HeardChange | undefined): void;
}

export class StoredChangeFeed implements ChangeFeed {
  readonly #use: FeedServices;
  /** By the graph, user or session that they watch. */
  readonly #watchers = new Map<string, Set<Watcher>>();
  readonly #closing = new AbortController();
  readonly #slots: StreamSlots;
  #listening: Promise<() => Promise<void>> | undefined;

  constructor(use: FeedServices) {
    this.#use = use;
    this.#slots = new StreamSlots(use, { purpose: 'changes', slotMs, maxPerUser });
  }

  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  async open(caller: Caller, graph: Graph, hear: Watcher['hear']): Promise<() => Promise<void>> {
    const slot = await this.#slots.take(caller.userId);
    try {
      this.#listening ??= this.#use.store.listen(changeChannel, (payload) => this.#wake(payload));
      await this.#listening;
    } catch (error) {
      // The next stream retries listening.
      this.#listening = undefined;
      await this.#slots.give(slot);
      throw error;
    }
    const names = [graph.id, graph.parentId, caller.userId, caller.sessionId].filter((name) => name !== undefined);
    const watcher: Watcher = { userId: caller.userId, graphId: graph.id, hear };
    for (const name of names) this.#watchers.set(name, (this.#watchers.get(name) ?? new Set()).add(watcher));
    let isOpen = true;
    return async () => {
      if (!isOpen) return;
      isOpen = false;
      for (const name of names) this.#forget(name, watcher);
      await this.#slots.give(slot);
    };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const stop = await this.#listening?.catch(() => undefined);
    await stop?.();
    await this.#slots.close();
  }

  #forget(name: string, watcher: Watcher): void {
    const watching = this.#watchers.get(name);
    watching?.delete(watcher);
    if (watching?.size === 0) this.#watchers.delete(name);
  }

  #wake(payload: string): void {
    const change = payload === '' ? undefined : readChange(payload);
    if (payload !== '' && change === undefined) return; // From a newer version.
    const watching = change === undefined ? [...this.#watchers.values()] : [this.#watchers.get(change.of) ?? []];
    const watchers = new Set(watching.flatMap((each) => [...each]));
    if (change === undefined || change.kind === 'access') this.#forgetRights([...watchers]);
    for (const { hear } of watchers) hear(change);
  }

  #forgetRights(watchers: readonly Watcher[]): void {
    const { access, authenticator } = this.#use;
    for (const graphId of new Set(watchers.map((watcher) => watcher.graphId))) access.forgetGraph(graphId);
    for (const userId of new Set(watchers.map((watcher) => watcher.userId))) authenticator.forgetUser(userId);
  }
}
