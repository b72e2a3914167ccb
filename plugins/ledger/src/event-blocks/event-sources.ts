import { type CollectionEntry, invalidInput, type Transaction } from '@pacioli/core';

/** A live connection that writes events under its own source. */
export interface LiveSource {
  /** The source of its events: the provider, or the registered name of an external source. */
  readonly source: string;
  readonly connectionId: string;
}

/** The connections for which a caller is about to write: all of a source, or a single one. */
export type LockedSource = Pick<LiveSource, 'source'> | Pick<LiveSource, 'connectionId'>;

/** A registry of connections; none until a plugin contributes one (ledger L-84). */
export interface EventSource extends CollectionEntry {
  /**
   * The live connections of the graph; one statement. Given a source or an id, it may return only the matching ones,
   * and keeps them live until the end of the transaction, which must be a writing one.
   */
  live(tx: Transaction, held?: LockedSource): Promise<readonly LiveSource[]>;
}

/** Sources that need no connection (ledger L-84, L-34). */
const own = { events: ['manual', 'system', 'schedule'], agents: ['native', 'manual'] } as const;

/** The sources from which a graph accepts events and agents. */
export class EventSources {
  readonly #sources: readonly EventSource[];
  /** Sources of plugins; absent where clients of the API write (ledger L-219). */
  readonly #registered: readonly string[] | undefined;

  constructor(sources: readonly EventSource[], registered?: readonly string[]) {
    this.#sources = sources;
    this.#registered = registered;
  }

  /** The live connections of the graph, without locking them. */
  live(tx: Transaction): Promise<readonly LiveSource[]> {
    return this.#ask(tx, undefined);
  }

  /** Rejects a source that is neither built in nor a live connection of the graph, and locks that connection. */
  async requireSource(tx: Transaction, kind: 'events' | 'agents', source: string): Promise<void> {
    if (this.#registered !== undefined) return requireRegistered(this.#registered, source);
    if (own[kind].some((each) => each === source)) return;
    const held = await this.#ask(tx, { source });
    if (held.some((each) => each.source === source)) return;
    const names = new Set((await this.live(tx)).map((each) => each.source));
    const what = kind === 'events' ? 'event source' : 'agent source';
    throw invalidInput(
      `Unknown ${what} '${source}'. Valid sources are [${own[kind].join(', ')}] plus this graph's registered connections (${names.size === 0 ? 'none' : [...names].join(', ')}).`,
    );
  }

  /**
   * Rejects an id that is not a live connection of the graph (ledger L-82). An event of a connection must name one of
   * its own source; built-in sources may name any, because there the id says where to publish the event (L-87).
   */
  async requireConnection(tx: Transaction, field: string, id: unknown, source?: string): Promise<void> {
    if (id === null || id === undefined) return;
    const held = typeof id === 'string' ? await this.#ask(tx, { connectionId: id }) : [];
    const connection = held.find(({ connectionId }) => connectionId === id);
    if (connection === undefined) throw invalidInput(`${field}: '${id}' is not a connection of this graph. Omit it.`);
    if (source === undefined || own.events.some((each) => each === source) || connection.source === source) return;
    throw invalidInput(
      `${field}: '${id}' is a connection of the source '${connection.source}', and the event is of '${source}'. Leave it out, or name a connection of '${source}'.`,
    );
  }

  async #ask(tx: Transaction, held: LockedSource | undefined): Promise<readonly LiveSource[]> {
    const found: LiveSource[] = [];
    for (const source of this.#sources) found.push(...(await source.live(tx, held)));
    return found;
  }
}

/**
 * Rejects a source that no plugin has registered, so that the origin of each entry can be told (ledger L-219). It is a
 * defect of the plugin, about which the client of its operation can do nothing.
 */
function requireRegistered(registered: readonly string[], source: string): void {
  if (registered.includes(source)) return;
  throw new Error(
    `The event source '${source}' is not registered. Contribute it to bookkeepingSources in the plugin that writes it; ` +
      `registered are [${registered.join(', ')}].`,
  );
}

const sourceForm = /^[a-z][a-z0-9_-]{0,62}$/;

/** Throws for a source that a plugin registers under an invalid name, so that the start fails (ledger L-219). */
export function requireSourceNames(registered: readonly string[]): void {
  for (const name of registered) {
    if ([...own.events, ...own.agents].some((each) => each === name))
      throw new Error(
        `A plugin registers the event source '${name}', which belongs to the ledger. Choose another name.`,
      );
    if (!sourceForm.test(name))
      throw new Error(
        `A plugin registers the event source '${name}'. Choose 1 to 63 lower-case letters, digits, "_" and "-", ` +
          'beginning with a letter, such as expense_claims.',
      );
  }
}
