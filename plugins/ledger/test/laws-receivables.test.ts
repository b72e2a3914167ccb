/** @module-tag sessions */
import type { TestClient, TestService } from '@pacioli/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBooks, startLedger } from './books.ts';
import { lawRuns, maxLawMs } from './law-runs.ts';
import { ReceivablesPlayer } from './receivables-runner.ts';
import { receivableStep } from './receivables-steps.ts';

let service: TestService;
let user: TestClient;
beforeAll(async () => {
  ({ service, user } = await startLedger());
});
afterAll(async () => {
  await service.close();
});

async function newPlayer(): Promise<ReceivablesPlayer> {
  const book = await openBooks(user);
  const agents: string[] = [];
  // An agent of type other may have events on both sides.
  for (const name of ['A', 'B', 'C'])
    agents.push((await book.operation('create-agent', { agent_type: 'other', name })).body.result.id);
  return new ReceivablesPlayer(service, book, agents);
}

describe('openReceivables and openPayables of generated books', () => {
  it('keeps open amounts equal to the control accounts in each currency after every step, also when the steps are replayed (ledger L-100 to L-100c, L-202, L-203, L-206)', {
    timeout: maxLawMs,
  }, async () => {
    // Goal: no sequence of steps makes open amounts and control accounts differ. Method: in generated books only events
    // of these types post to receivables and payables; both are compared after each step, and the steps run twice.
    await fc.assert(
      fc.asyncProperty(fc.array(receivableStep, { minLength: 1, maxLength: 30, size: 'max' }), async (steps) => {
        const [player, again] = [await newPlayer(), await newPlayer()];
        for (const each of steps) {
          await player.take(each);
          await player.expectOpenAmounts();
        }
        for (const each of steps) await again.take(each);
        expect(await again.open()).toEqual(await player.open());
      }),
      lawRuns(4),
    );
  });
});
