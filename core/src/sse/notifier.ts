/** Waits for a ring or for time to pass. A ring while nobody waits is remembered. */
export class Notifier {
  #rung = false;
  #answer: (() => void) | undefined;

  ring(): void {
    this.#rung = true;
    this.#answer?.();
  }

  /** True when it rang, false when the time passed. */
  async wait(ms: number): Promise<boolean> {
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#answer = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    const rang = this.#rung;
    this.#rung = false;
    this.#answer = undefined;
    return rang;
  }
}
