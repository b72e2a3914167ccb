import { similarityOf } from './similarity.ts';

/** The cosine from which two memories say the same (ME-12). */
const nearDuplicateFrom = 0.97;

/** Lets through the best memory of each cluster of near duplicates; memories are offered best first (ME-12). */
export class Folding {
  readonly #kept: Float32Array[] = [];

  /** True if no memory that was let through before is a near duplicate. */
  lets(vector: Float32Array): boolean {
    if (this.#kept.some((kept) => similarityOf(kept, vector) >= nearDuplicateFrom)) return false;
    this.#kept.push(vector);
    return true;
  }
}
