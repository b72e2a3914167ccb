// Goal: no notification is lost. Method: polls are an hour apart, so that a look that did not follow a notification
// would not happen within the test.
import { describe, expect, it } from 'vitest';
import { WorkLoop } from './work-loop.ts';

const hourMs = 3_600_000;

interface Look {
  /** 1 for the first look. */
  readonly number: number;
  readonly loop: WorkLoop;
}

/** Runs a loop until `look` returns true, and returns the errors of its looks. */
async function runUntil(look: (of: Look) => boolean): Promise<readonly unknown[]> {
  let looks = 0;
  const errors: unknown[] = [];
  await new Promise<void>((resolve) => {
    const loop: WorkLoop = new WorkLoop({
      look: async () => {
        looks += 1;
        if (look({ number: looks, loop })) resolve(loop.stop());
      },
      onError: (error) => errors.push(error),
      pollMs: hourMs,
    });
    loop.start();
  });
  return errors;
}

describe('WorkLoop', () => {
  it('looks again at once after a notification during a look, and stops at the end of a look', async () => {
    const looks: number[] = [];
    await runUntil(({ number, loop }) => {
      looks.push(number);
      if (number < 3) loop.notify();
      return number === 3;
    });
    expect(looks).toEqual([1, 2, 3]);
  });

  it('looks again after a notification between two looks', async () => {
    const looks: number[] = [];
    await runUntil(({ number, loop }) => {
      looks.push(number);
      if (number === 1) setImmediate(() => loop.notify());
      return number === 2;
    });
    expect(looks).toEqual([1, 2]);
  });

  it('goes on after a look that fails', async () => {
    const failure = new Error('The store is not there.');
    const errors = await runUntil(({ number, loop }) => {
      if (number === 2) return true;
      loop.notify();
      throw failure;
    });
    expect(errors).toEqual([failure]);
  });
});
