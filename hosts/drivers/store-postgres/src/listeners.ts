import assert from 'node:assert/strict';

const maxListeners = 10_000;

/** The listeners of each channel. */
export class Listeners {
  readonly #byChannel = new Map<string, Set<(payload: string) => void>>();
  #count = 0;

  /** Adds a listener; the result removes it. */
  add(channel: string, wake: (payload: string) => void): () => void {
    assert(this.#count < maxListeners, `A process has at most ${maxListeners} listeners.`);
    const wakes = this.#byChannel.get(channel) ?? new Set();
    this.#byChannel.set(channel, wakes);
    // Wrapped so that the same function may be added twice.
    const entry = (payload: string): void => wake(payload);
    wakes.add(entry);
    this.#count += 1;
    return () => {
      if (!wakes.delete(entry)) return;
      this.#count -= 1;
      if (wakes.size === 0 && this.#byChannel.get(channel) === wakes) this.#byChannel.delete(channel);
    };
  }

  has(channel: string): boolean {
    return this.#byChannel.has(channel);
  }

  channels(): readonly string[] {
    return [...this.#byChannel.keys()];
  }

  wake(channel: string, payload: string): void {
    for (const wake of [...(this.#byChannel.get(channel) ?? [])]) wake(payload);
  }

  /** Call after a lost connection: the empty payload tells listeners that notifications may have been missed. */
  wakeAll(): void {
    for (const channel of this.channels()) this.wake(channel, '');
  }
}
