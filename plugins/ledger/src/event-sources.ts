import { invalidInput, type Transaction } from '@pacioli/core';
import type { EventSource, LiveSource } from './tokens.ts';

/** Sources that need no connection (ledger L-84, L-34). */
const own = { events: ['manual', 'system', 'schedule'], agents: ['native', 'manual'] } as const;

/** Which sources a graph takes events and agents from. */
export class EventSources {
  readonly #sources: readonly EventSource[];

  constructor(sources: readonly EventSource[]) {
    this.#sources = sources;
  }

  /** The live connections of the graph; held for what is about to be written in their names. */
  async live(tx: Transaction, use: 'read' | 'hold'): Promise<readonly LiveSource[]> {
    const found: LiveSource[] = [];
    for (const source of this.#sources) found.push(...(await source.live(tx, use)));
    return found;
  }

  /** Refuses a source that is neither one of the ledger's own nor a live connection of the graph. */
  async requireSource(tx: Transaction, kind: 'events' | 'agents', source: string): Promise<void> {
    if (own[kind].some((each) => each === source)) return;
    const names = (await this.live(tx, 'hold')).map((each) => each.source);
    if (names.includes(source)) return;
    const what = kind === 'events' ? 'event source' : 'agent source';
    throw invalidInput(
      `Unknown ${what} '${source}'. Valid sources are [${own[kind].join(', ')}] plus this graph's registered connections (${names.length === 0 ? 'none' : names.join(', ')}).`,
    );
  }

  /** Refuses an id that is no live connection of the graph (ledger L-82). */
  async requireConnection(tx: Transaction, field: string, id: unknown): Promise<void> {
    if (id === null || id === undefined) return;
    const connections = await this.live(tx, 'hold');
    if (!connections.some(({ connectionId }) => connectionId === id))
      throw invalidInput(`${field}: '${id}' is no connection of this graph. Leave it out.`);
  }
}
