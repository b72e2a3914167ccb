import type { DocumentNode } from 'graphql';
import { type CostRequest, rootFields } from './graphql-cost.ts';

/** Answers that are kept; the whole schema is about a megabyte. Longer questions are not kept. */
const answers_kept_max = 20;
const kept_characters_max = 50_000;

/**
 * Answers documents that ask for nothing but the schema, which is the same for every caller: the same document is
 * computed once, also for requests at the same time. A document that differs by a blank is computed again.
 */
export class Introspection<A> {
  readonly #answers = new Map<string, Promise<A>>();

  answer(text: string, document: DocumentNode, request: CostRequest, compute: () => Promise<A>): Promise<A> {
    const fields = rootFields(document, request.operationName);
    if (fields.length === 0 || !fields.every(({ name }) => name.value.startsWith('__'))) return compute();
    const key = JSON.stringify([text, request.operationName ?? null, request.variables ?? null]);
    const known = this.#answers.get(key);
    if (known !== undefined || key.length > kept_characters_max) return known ?? compute();
    if (this.#answers.size >= answers_kept_max) this.#answers.delete(this.#answers.keys().next().value ?? '');
    const made = compute();
    this.#answers.set(key, made);
    return made;
  }
}
