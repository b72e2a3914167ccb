import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { graphDigest } from './graph-digest.ts';
import { refusalMatrix, unreachable } from './refusal-matrix.ts';
import type { Refusal } from './refusal-rows.ts';
import { bookRefusals } from './refusal-rows-books.ts';
import { eventRefusals } from './refusal-rows-events.ts';
import { itemRefusals } from './refusal-rows-items.ts';
import { type Stage, setStage } from './refusal-stage.ts';

const refusals: readonly Refusal[] = [...eventRefusals, ...itemRefusals, ...bookRefusals];
const nameOf = ({ operation, status, reason }: Refusal) => `${operation} ${status} ${reason}`;

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
}, 120_000);
afterAll(() => stage.service.close());

describe('the audit of refusals', () => {
  it('has a row for each operation, status and reason of the matrix, or says why there is none (ledger appendix A)', () => {
    const wanted = Object.entries(refusalMatrix).flatMap(([operation, statuses]) =>
      Object.entries(statuses).flatMap(([status, reasons]) =>
        reasons.map((reason) => `${operation} ${status} ${reason}`),
      ),
    );
    const covered = [...new Set(refusals.map(nameOf)), ...Object.keys(unreachable)];
    expect(covered.toSorted()).toEqual(wanted.toSorted());
  });

  it.each(refusals.map((refusal) => [nameOf(refusal), refusal] as const))(
    '%s: is told, and nothing changes',
    async (_name, refusal) => {
      const { operation, status, says, request, book = 'open', meanwhile, beside } = refusal;
      const { hand, service } = stage;
      const { graph, operation: send } = stage.books[book];
      const body = request(stage);
      const before = await graphDigest(service.store, graph);
      const quiet = { ...stage.beside };
      Object.assign(stage.beside, beside);
      hand.meddle = meanwhile?.(stage);
      const answer = await send(operation, body);
      hand.meddle = undefined;
      Object.assign(stage.beside, quiet);
      expect([answer.status, JSON.stringify(answer.body)]).toEqual([status, expect.stringContaining(says)]);
      expect(await graphDigest(service.store, graph)).toEqual(before);
    },
  );
});
