import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { Listeners } from './listeners.ts';

const reconnectFirstMs = 100;
const maxReconnectMs = 5_000;

/**
 * A dedicated session for LISTEN, because a pooled one would lose its channels. It reconnects automatically and then
 * wakes every listener with an empty payload, because notifications may have been missed.
 */
export class ListenConnection {
  readonly #makeClient: () => pg.Client;
  readonly #wakers = new Listeners();
  readonly #turns = new OneAtATime();
  readonly #closing = new AbortController();
  #client: Promise<pg.Client> | undefined;

  constructor(makeClient: () => pg.Client) {
    this.#makeClient = makeClient;
  }

  /** Starts listening; resolves when the server has confirmed it. The result stops it. */
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
      // A session that has broken since then no longer has the channel.
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
      // Cleared so that the next call reconnects instead of awaiting the same rejected promise.
      if (this.#client === attempt) this.#client = undefined;
      throw error;
    }
  }

  async #connect(): Promise<pg.Client> {
    const client = this.#makeClient();
    client.on('notification', ({ channel, payload }) => this.#wakers.wake(channel, payload ?? ''));
    // The event `end` follows and is handled below.
    client.on('error', () => undefined);
    await client.connect();
    client.once('end', () => {
      if (this.#closing.signal.aborted) return;
      this.#client = this.#reconnect();
      // The next `listen` awaits it; until then its rejection by `close` must not be unhandled.
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

/** Runs tasks one after the other in call order, because a session accepts one statement at a time. */
class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    // The caller gets the error; the next task runs regardless.
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when all tasks submitted so far are done. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
