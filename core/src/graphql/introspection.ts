import type { DocumentNode } from 'graphql';
import { type CostRequest, isSchemaRead, rootFields } from './cost.ts';

const maxAnswersKept = 20;
/** The maximum JSON size of a cached result; the standard introspection of the contract has about 235 kB. */
const maxAnswerBytes = 2_000_000;
const maxKeptCharacters = 50_000;

/**
 * Caches the results of documents that read only the schema, which is the same for every caller: each document is
 * computed once, even for concurrent requests. Documents are compared by their text; one that reads the schema more
 * than once or is very long is not cached.
 */
export class Introspection<A> {
  readonly #answers = new Map<string, Promise<A>>();

  answer(text: string, document: DocumentNode, request: CostRequest, compute: () => Promise<A>): Promise<A> {
    const fields = rootFields(document, request.operationName);
    if (!fields.every(({ name }) => name.value.startsWith('__')) || fields.filter(isSchemaRead).length !== 1)
      return compute();
    const key = JSON.stringify([text, request.operationName ?? null, request.variables ?? null]);
    const known = this.#answers.get(key);
    if (known !== undefined || key.length > maxKeptCharacters) return known ?? compute();
    if (this.#answers.size >= maxAnswersKept) this.#answers.delete(this.#answers.keys().next().value ?? '');
    const made = this.#keepIfSmall(key, compute());
    this.#answers.set(key, made);
    return made;
  }

  /** Evicts a result that failed or is too long to cache. */
  #keepIfSmall(key: string, computed: Promise<A>): Promise<A> {
    const forget = () => {
      if (this.#answers.get(key) === made) this.#answers.delete(key);
    };
    const made: Promise<A> = computed.then(
      (answer) => {
        if (Buffer.byteLength(JSON.stringify(answer)) > maxAnswerBytes) forget();
        return answer;
      },
      (error: unknown) => {
        forget();
        throw error;
      },
    );
    return made;
  }
}
