/**
 * The time limit of one call. `AbortSignal.timeout` with `AbortSignal.any` would be shorter, but their timers and weak
 * references cost more than the rest of a small call.
 */
export class CallDeadline {
  #isReached = false;
  readonly #limit = new AbortController();
  readonly #end = new AbortController();
  readonly #client: AbortSignal;
  readonly #timer: NodeJS.Timeout;

  constructor(client: AbortSignal, limitMs: number) {
    this.#client = client;
    this.#timer = setTimeout(this.#expire, limitMs).unref();
    if (client.aborted) this.#disconnect();
    else client.addEventListener('abort', this.#disconnect, { once: true });
  }

  get isReached(): boolean {
    return this.#isReached;
  }

  /** Ends at the limit. */
  get limit(): AbortSignal {
    return this.#limit.signal;
  }

  /** Ends at the limit, or when the client disconnects. */
  get end(): AbortSignal {
    return this.#end.signal;
  }

  /** Releases the timer and the client's signal after the call. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#client.removeEventListener('abort', this.#disconnect);
  }

  readonly #expire = (): void => {
    this.#isReached = true;
    const reason = new DOMException('The call reached its time limit.', 'TimeoutError');
    this.#limit.abort(reason);
    this.#end.abort(reason);
  };

  readonly #disconnect = (): void => this.#end.abort(this.#client.reason);
}
