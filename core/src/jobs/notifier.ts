/** Waits for a notification or a timeout. A notification without a waiter is remembered. */
export class Notifier {
  #isNotified = false;
  #answer: (() => void) | undefined;

  notify(): void {
    this.#isNotified = true;
    this.#answer?.();
  }

  /** True if it was notified, false after the timeout. */
  async wait(ms: number): Promise<boolean> {
    if (!this.#isNotified) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#answer = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    const wasNotified = this.#isNotified;
    this.#isNotified = false;
    this.#answer = undefined;
    return wasNotified;
  }
}
