import { describe, expect, it } from 'vitest';
import { Notifier } from './notifier.ts';

const hourMs = 3_600_000;

describe('Notifier', () => {
  it('remembers a notification that nobody waits for, and several as one', async () => {
    const notifier = new Notifier();
    notifier.notify();
    notifier.notify();
    expect(await notifier.wait(hourMs)).toBe(true);
    expect(await notifier.wait(0)).toBe(false);
  });

  it('ends a wait', async () => {
    const notifier = new Notifier();
    const waiting = notifier.wait(hourMs);
    notifier.notify();
    expect(await waiting).toBe(true);
    expect(await notifier.wait(0)).toBe(false);
  });
});
