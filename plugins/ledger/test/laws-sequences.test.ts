import type { TestClient, TestService } from '@pacioli/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBooks, startLedger } from './books.ts';
import { Player } from './model-player.ts';
import { codes, step } from './model-steps.ts';

/** How many books are made by chance; a longer run asks for more. */
const runs = Number(process.env['PACIOLI_LAW_RUNS'] ?? 4);

let service: TestService;
let user: TestClient;
beforeAll(async () => {
  ({ service, user } = await startLedger());
});
afterAll(async () => {
  await service.close();
});

describe('books made by chance', () => {
  it('are what their model says after every step, and obey the laws of the ledger; taken again they come out the same (ledger L-196, L-197, L-201 to L-205, L-208, L-212)', {
    timeout: 120_000 * runs,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 30 }), async (steps) => {
        const player = new Player(service, await openBooks(user), codes);
        for (const each of steps) await player.take(each);
        const again = new Player(service, await openBooks(user), codes);
        for (const each of player.taken) await again.take(each);
        expect(again.taken).toEqual(player.taken);
        expect(again.summary()).toEqual(player.summary());
      }),
      { numRuns: runs, endOnFailure: false },
    );
  });
});
