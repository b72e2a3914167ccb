interface Running<T> {
  readonly now: Promise<T>;
  /** The read that begins when `now` has ended, for everybody who came after `now` began. */
  next: Promise<T> | undefined;
}

/**
 * Lets concurrent reads of one key share a read. Each caller gets the result of a read that began after its call, so it
 * never gets an older one than if it had read alone.
 */
export class JoinedReads<T> {
  readonly #read: (key: string) => Promise<T>;
  readonly #running = new Map<string, Running<T>>();

  constructor(read: (key: string) => Promise<T>) {
    this.#read = read;
  }

  read(key: string): Promise<T> {
    const running = this.#running.get(key);
    if (running === undefined) return this.#start(key);
    const start = (): Promise<T> => this.#start(key);
    running.next ??= running.now.then(start, start);
    return running.next;
  }

  #start(key: string): Promise<T> {
    const running: Running<T> = { now: this.#read(key), next: undefined };
    this.#running.set(key, running);
    const forget = (): void => {
      if (running.next === undefined) this.#running.delete(key);
    };
    running.now.then(forget, forget);
    return running.now;
  }
}
