/**
 * Tries every operation in every state of the books that refuses it.
 * @module-tag full-run
 * @module-tag sessions
 */
import blocks from '@pacioli/blocks';
import taxonomy from '@pacioli/taxonomy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import ledger from '../src/index.ts';
import { graphDigest } from './graph-digest.ts';
import { openRefusalFixture } from './refusal-fixture.ts';
import type { RefusalFixture } from './refusal-fixture-types.ts';
import { goodRequests } from './refusal-good-requests.ts';
import { refusalMatrix, unreachable } from './refusal-matrix.ts';
import type { Refusal } from './refusal-rows.ts';
import { bookRefusals } from './refusal-rows-books.ts';
import { eventRefusals } from './refusal-rows-events.ts';
import { itemRefusals } from './refusal-rows-items.ts';
import { heldRefusals } from './refusal-rows-schedules.ts';

const refusals: readonly Refusal[] = [...eventRefusals, ...itemRefusals, ...bookRefusals, ...heldRefusals];
const nameOf = ({ operation, status, reason }: Refusal) => `${operation} ${status} ${reason}`;

let fixture: RefusalFixture;
beforeAll(async () => {
  fixture = await openRefusalFixture();
});
afterAll(() => fixture.service.close());

describe('refusal matrix', () => {
  it('has a row for each refusal of the matrix, or the cause why it cannot be provoked (ledger appendix A)', () => {
    const wanted = Object.entries(refusalMatrix).flatMap(([operation, statuses]) =>
      Object.entries(statuses).flatMap(([status, reasons]) =>
        reasons.map((reason) => `${operation} ${status} ${reason}`),
      ),
    );
    const covered = [...new Set(refusals.map(nameOf)), ...Object.keys(unreachable)];
    expect(covered.toSorted()).toEqual(wanted.toSorted());
  });

  it.each(refusals.map((refusal) => [nameOf(refusal), refusal] as const))(
    'refuses %s, and changes nothing',
    async (_name, refusal) => {
      const { operation, status, says, request, book = 'open', concurrently, otherPlugins } = refusal;
      const { interference, service } = fixture;
      const { graph, operation: send } = fixture.books[book];
      const body = request(fixture);
      const before = await graphDigest(service.store, graph);
      const quiet = { ...fixture.otherPlugins };
      Object.assign(fixture.otherPlugins, otherPlugins);
      interference.beforeStatement = concurrently?.(fixture);
      const answer = await send(operation, body);
      interference.beforeStatement = undefined;
      Object.assign(fixture.otherPlugins, quiet);
      expect([answer.status, JSON.stringify(answer.body)]).toEqual([status, expect.stringContaining(says)]);
      expect(await graphDigest(service.store, graph)).toEqual(before);
    },
  );
});

describe('users without write access', () => {
  const declared = [ledger, taxonomy, blocks].flatMap(({ operations }) => operations);
  const writes = declared.filter(({ role }) => role !== 'viewer').map(({ name }) => name);
  const requests = goodRequests(refusals);

  it('tests every operation that writes with users without write access (ledger L-7)', () => {
    expect(Object.keys(requests).toSorted()).toEqual(writes.toSorted());
    expect(declared.filter(({ role }) => role === 'viewer').map(({ name }) => name)).toEqual([
      'preview-event-block',
      'preview-reconciling-item',
    ]);
  });

  it.each(writes)('refuses %s to users without write access, and changes nothing (ledger L-7)', async (operation) => {
    const { service, viewer, stranger } = fixture;
    const { graph } = fixture.books.open;
    const body = requests[operation]?.(fixture);
    const before = await graphDigest(service.store, graph);
    for (const who of [viewer, stranger]) {
      const { status } = await who.post(`/extensions/ledger/${graph}/operations/${operation}`, body);
      expect(status).toBe(403);
    }
    expect(await graphDigest(service.store, graph)).toEqual(before);
  });

  it('grants the owner every operation that the state of the books allows', async () => {
    // This test changes the books, so it sets up its own.
    const own = await openRefusalFixture();
    // Deletions come last, except that of the arc whose account is mapped again: the mapper runs in the background and
    // would map that account as well.
    const rank = (name: string): number => {
      if (name === 'delete-mapping-association') return 0;
      if (name === 'auto-map-elements') return 2;
      return name.startsWith('delete-') ? 3 : 1;
    };
    const refused: Record<string, unknown> = {};
    for (const operation of writes.toSorted((one, other) => rank(one) - rank(other))) {
      const { status, body } = await own.books.open.operation(operation, requests[operation]?.(own));
      if (status > 202) refused[operation] = body.detail;
      if (status === 202) await own.owner.follow(body.operationId);
    }
    await own.service.close();
    expect(refused).toEqual({
      'backfill-plan-history': expect.stringContaining('after the last closed month'),
      'change-reporting-style': "Reporting style 'struct_none' not found.",
      'close-period': expect.stringContaining('pending_obligations'),
      initialize: expect.stringContaining('already initialized'),
      'initialize-chart-of-accounts': expect.stringContaining('already has a chart'),
    });
  });
});
