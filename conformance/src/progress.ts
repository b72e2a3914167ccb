import type { Wait } from './client.ts';

/** Where progress is written, such as standard error. */
interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const casesPerLine = 200;
const shortWaitSeconds = 1;

/** Tells how far a run is: in one line of a terminal, or else in a line for every 200 cases. */
export class Progress {
  readonly #output: Output;
  #isLineOpen = false;

  constructor(output: Output) {
    this.#output = output;
  }

  show(done: number, all: number): void {
    if (this.#output.isTTY === true) {
      this.#output.write(`\r${done} of ${all} cases`);
      this.#isLineOpen = true;
    } else if (done % casesPerLine === 0 || done === all) this.#output.write(`${done} of ${all} cases\n`);
  }

  /** Says why nothing happens; short waits are not worth a line. */
  waiting({ asked, seconds }: Wait): void {
    if (seconds <= shortWaitSeconds) return;
    this.end();
    this.#output.write(`Waiting ${seconds} s: the rate limit of the deployment refused ${asked}.\n`);
  }

  end(): void {
    if (this.#isLineOpen) this.#output.write('\n');
    this.#isLineOpen = false;
  }
}
