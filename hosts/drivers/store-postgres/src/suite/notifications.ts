import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoreDriver, TestStore } from '../testing.ts';
import { createSuiteTables } from './tables.ts';

export function describeWaking(driver: StoreDriver): void {
  describe('waking', () => {
    let own: TestStore;
    beforeAll(async () => {
      own = await driver.create();
      await createSuiteTables(own.store);
    });
    afterAll(() => own.dispose());

    it('wakes each listener of a channel with the payload, and no other listener', async () => {
      const woken: string[] = [];
      const stops = await Promise.all([
        own.store.listen('channel_a', (payload) => woken.push(`first ${payload}`)),
        own.store.listen('channel_a', (payload) => woken.push(`second ${payload}`)),
        own.store.listen('channel_b', (payload) => woken.push(`other ${payload}`)),
      ]);
      await own.store.notify('channel_a', 'one');
      await nextWake('channel_b', 'end of test');
      expect(woken).toEqual(['first one', 'second one', 'other end of test']);
      for (const stop of stops) await stop();
    });

    it('does not wake a listener that has stopped', async () => {
      const woken: string[] = [];
      const stop = await own.store.listen('channel_c', (payload) => woken.push(payload));
      await stop();
      await own.store.notify('channel_c', 'unheard');
      await nextWake('channel_c', 'heard');
      expect(woken).toEqual([]);
    });

    it('rejects a channel that is not a plain name, and a payload over 7,999 bytes', async () => {
      await expect(own.store.listen('a"b', () => undefined)).rejects.toThrow('A channel has');
      await expect(own.store.notify('A', '')).rejects.toThrow('A channel has');
      await expect(own.store.notify('a', 'x'.repeat(8_000))).rejects.toThrow('at most 7999 bytes');
      await own.store.notify('a', 'x'.repeat(7_999));
    });

    /** Resolves when a notification sent now has arrived; earlier ones have arrived by then, because order is kept. */
    async function nextWake(channel: string, payload: string): Promise<void> {
      let stop = async (): Promise<void> => undefined;
      await new Promise<void>((resolve, reject) => {
        own.store
          .listen(channel, () => resolve())
          .then((end) => {
            stop = end;
            return own.store.notify(channel, payload);
          })
          .catch(reject);
      });
      await stop();
    }
  });
}
