/** A call before an example, which it needs. */
export interface GivenCall {
  /** The name of an operation. */
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * A call that documents a part. The conformance kit runs it on a new graph. `'{{submit-claim.claim_id}}'`, as a whole
 * text of an input, stands for that field of the result of the last call of `submit-claim` in `given`.
 */
export interface Example<I> {
  readonly input: I;
  /** The calls before it, in order; or what must be true of the graph, in words, and the kit does not run it. */
  readonly given?: string | readonly GivenCall[];
  /** The declared error with which the call is refused; without it, the call succeeds. */
  readonly fails?: string;
}

/** What an example needs, in words; undefined if nothing. */
export function textOfGiven(given: Example<unknown>['given']): string | undefined {
  if (given === undefined || typeof given === 'string') return given;
  return given.length === 0 ? undefined : `after ${given.map(({ operation }) => operation).join(', ')}`;
}
