/** A call that documents a part. The conformance kit runs it on a new graph. */
export interface Example<I> {
  readonly input: I;
  /** What must be true of the graph, in words; the kit does not run such an example. */
  readonly given?: string;
  /** The declared error with which the call is refused; without it, the call succeeds. */
  readonly fails?: string;
}
