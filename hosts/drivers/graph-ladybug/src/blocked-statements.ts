import { createHash } from 'node:crypto';
import { GraphStoreError } from '@pacioli/core/ports';

const rememberedMs = 10 * 60_000;
const maxRemembered = 1_000;
const maxDeaths = 2;

/** Statements that killed a worker. After the second time, one is refused for ten minutes (graphs E-11, E-13). */
export class BlockedStatements {
  readonly #deaths = new Map<string, { count: number; at: number }>();

  add(graphId: string, statement: string): void {
    const key = keyOf(graphId, statement);
    const earlier = this.#deaths.get(key);
    this.#deaths.delete(key);
    this.#deaths.set(key, { count: (earlier?.count ?? 0) + 1, at: Date.now() });
    const oldest = this.#deaths.keys().next();
    if (this.#deaths.size > maxRemembered && oldest.done !== true) this.#deaths.delete(oldest.value);
  }

  refuseKnown(graphId: string, statement: string): void {
    const key = keyOf(graphId, statement);
    const known = this.#deaths.get(key);
    if (known === undefined) return;
    if (Date.now() - known.at > rememberedMs) this.#deaths.delete(key);
    else if (known.count >= maxDeaths) {
      throw new GraphStoreError('runtime', 'This query exceeded the memory limit twice: change it before you retry.');
    }
  }
}

function keyOf(graphId: string, statement: string): string {
  return createHash('sha256').update(`${graphId}\n${statement}`).digest('base64');
}
