import { describe, expect, it } from 'vitest';
import { Turns } from './turns.ts';

describe('turns of long work', () => {
  it('are over after a time, and let others run before the next one', async () => {
    const turns = new Turns();
    let others = 0;
    setImmediate(() => {
      others += 1;
    });
    while (!turns.isOver) expect(others).toBe(0);
    await turns.next();
    expect(others).toBe(1);
  });
});
