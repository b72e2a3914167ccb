/** @module-tag sessions */
import type { TestClient, TestService } from '@pacioli/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBooks, startLedger } from './books.ts';
import { lawRuns, maxLawMs } from './law-runs.ts';
import { today } from './model-requests.ts';
import { Player } from './model-runner.ts';
import { codes, step } from './model-steps.ts';

let service: TestService;
let user: TestClient;
beforeAll(async () => {
  ({ service, user } = await startLedger(`${today}T12:00:00Z`));
});
afterAll(async () => {
  await service.close();
});

describe('generated books', () => {
  it('matches the model of the books after every step, obeys the laws of the ledger, and gives the same when replayed (ledger L-196, L-197, L-201 to L-205, L-208, L-212)', {
    timeout: maxLawMs,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30, size: 'max' }), async (steps) => {
        const player = new Player(service, await openBooks(user), codes);
        for (const each of steps) await player.take(each);
        const again = new Player(service, await openBooks(user), codes);
        for (const each of player.taken) await again.take(each);
        expect(again.taken).toEqual(player.taken);
        expect(again.summary()).toEqual(player.summary());
      }),
      lawRuns(4),
    );
  });
});
