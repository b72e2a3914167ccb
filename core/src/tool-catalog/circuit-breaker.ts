import type { Clock } from '../services/kernel-tokens.ts';

/** Failures in a row that open a circuit, and how long it stays open (ai-surface M-14). */
const maxFailures = 5;
const openSeconds = 60;
/** The most circuits with failures that a process remembers. */
const maxCircuits = 10_000;

interface Circuit {
  readonly failures: number;
  readonly openUntilMs: number;
}

/** Spares a tool of a graph that keeps failing. After the pause one call tries again. */
export class CircuitBreaker {
  readonly #clock: Clock;
  readonly #circuits = new Map<string, Circuit>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the seconds until the next call may try, or undefined if it may now. */
  secondsClosed(key: string): number | undefined {
    const circuit = this.#circuits.get(key);
    if (circuit === undefined || circuit.failures < maxFailures) return undefined;
    const nowMs = this.#clock.now().getTime();
    if (nowMs < circuit.openUntilMs) return Math.ceil((circuit.openUntilMs - nowMs) / 1000);
    // Half open: this call tries, and the others wait for it.
    this.#circuits.set(key, { ...circuit, openUntilMs: nowMs + openSeconds * 1000 });
    return undefined;
  }

  noteSuccess(key: string): void {
    this.#circuits.delete(key);
  }

  noteFailure(key: string): void {
    const failures = (this.#circuits.get(key)?.failures ?? 0) + 1;
    this.#circuits.delete(key);
    const [oldest] = this.#circuits.keys();
    if (this.#circuits.size >= maxCircuits && oldest !== undefined) this.#circuits.delete(oldest);
    this.#circuits.set(key, { failures, openUntilMs: this.#clock.now().getTime() + openSeconds * 1000 });
  }
}
