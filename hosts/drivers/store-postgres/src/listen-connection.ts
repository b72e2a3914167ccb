import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { OneAtATime } from './one-at-a-time.ts';
import { Wakers } from './wakers.ts';

const reconnectFirstMs = 100;
const maxReconnectMs = 5_000;

/**
 * One session of its own that listens, because a pooled one would lose its channels. When it breaks it comes back by
 * itself, and then wakes every listener with an empty payload: something may have been missed.
 */
export class ListenConnection {
  readonly #makeClient: () => pg.Client;
  readonly #wakers = new Wakers();
  readonly #turns = new OneAtATime();
  readonly #closing = new AbortController();
  #client: Promise<pg.Client> | undefined;

  constructor(makeClient: () => pg.Client) {
    this.#makeClient = makeClient;
  }

  /** Starts listening; resolves when the server knows about it. The result stops it. */
  async listen(channel: string, wake: (payload: string) => void): Promise<() => Promise<void>> {
    const forget = this.#wakers.add(channel, wake);
    try {
      const client = await this.#connected();
      await this.#turns.run(() => client.query(`LISTEN "${channel}"`));
    } catch (error) {
      forget();
      throw error;
    }
    return async () => {
      forget();
      if (this.#wakers.has(channel) || this.#closing.signal.aborted) return;
      const client = await this.#client;
      // A session that broke meanwhile has forgotten the channel by itself.
      await this.#turns.run(async () => client?.query(`UNLISTEN "${channel}"`)).catch(() => undefined);
    };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const client = await this.#client?.catch(() => undefined);
    await client?.end();
  }

  async #connected(): Promise<pg.Client> {
    this.#client ??= this.#connect();
    const attempt = this.#client;
    try {
      return await attempt;
    } catch (error) {
      // The next call tries again instead of meeting the same rejected promise.
      if (this.#client === attempt) this.#client = undefined;
      throw error;
    }
  }

  async #connect(): Promise<pg.Client> {
    const client = this.#makeClient();
    client.on('notification', ({ channel, payload }) => this.#wakers.wake(channel, payload ?? ''));
    // The end of the session follows and is what counts.
    client.on('error', () => undefined);
    await client.connect();
    client.once('end', () => {
      if (this.#closing.signal.aborted) return;
      this.#client = this.#reconnect();
      // Whoever listens next awaits it; until then its end by `close` is nobody's failure.
      this.#client.catch(() => undefined);
    });
    return client;
  }

  async #reconnect(): Promise<pg.Client> {
    for (let waitMs = reconnectFirstMs; ; waitMs = Math.min(waitMs * 2, maxReconnectMs)) {
      await delay(waitMs, undefined, { signal: this.#closing.signal, ref: false });
      const client = await this.#connect().catch(() => undefined);
      if (client === undefined) continue;
      for (const channel of this.#wakers.channels()) {
        await this.#turns.run(() => client.query(`LISTEN "${channel}"`));
      }
      this.#wakers.wakeAll();
      return client;
    }
  }
}
