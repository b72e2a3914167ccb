/** @module-tag sessions */
import { sql } from '@pacioli/core';
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, callTool, type Loose, openBooks, startLedger } from './books.ts';

let service: TestService;
let user: TestClient;
beforeAll(async () => {
  ({ service, user } = await startLedger());
});
afterAll(async () => {
  await service.close();
});

const calendar = '{ fiscalCalendar { closedThrough closeTarget catchUpSequence gapPeriods periods { name status } } }';

const audit = (book: Books): Promise<readonly Loose[]> =>
  service.store.transaction({ graphId: book.graph }, (tx) =>
    tx.query(sql<Loose>`SELECT type, from_value, to_value, note FROM ledger_calendar_event ORDER BY at, id`),
  );

describe('set-close-target', () => {
  it('sets the target repeatedly, audits each change, and closes nothing (ledger L-149, L-193)', async () => {
    const book = await openBooks(user);
    // Nothing was closed, so the playbook must not say that all is.
    expect(await callTool({ service, user, graph: book.graph }, 'get-close-playbook')).toMatchObject({
      period: null,
      advice: 'The books have no close target, so no month is to be closed. Ask a person to set one.',
    });
    const set = await book.operation('set-close-target', { period: '2026-03', note: 'quarter' });
    expect(set.body.result).toMatchObject({
      closed_through: null,
      close_target: '2026-03',
      catch_up_sequence: ['2026-03'],
      gap_periods: 1,
      closeable_now: true,
      blockers: [],
    });
    expect((await book.operation('set-close-target', { period: '2026-03' })).status).toBe(200);
    const { fiscalCalendar } = await book.query(calendar);
    expect(fiscalCalendar).toMatchObject({ closedThrough: null, closeTarget: '2026-03', catchUpSequence: ['2026-03'] });
    expect(fiscalCalendar.periods.map((period: Loose) => period.status)).toEqual(['open', 'open']);
    expect(await audit(book)).toEqual([
      { type: 'initialized', from_value: null, to_value: null, note: null },
      { type: 'target_changed', from_value: null, to_value: '2026-03', note: 'quarter' },
      { type: 'target_changed', from_value: '2026-03', to_value: '2026-03', note: null },
    ]);
  });

  it('rejects a month that is malformed, not over, or earlier than the last closed one, and changes nothing (ledger L-149)', async () => {
    const graph = await user.createGraph('Closed', ['roboledger']);
    const operation: Books['operation'] = (name, body = {}) =>
      user.post(`/extensions/ledger/${graph}/operations/${name}`, body);
    const early = await operation('set-close-target', { period: '2026-02' });
    expect([early.status, early.body.detail]).toEqual([
      404,
      'Fiscal calendar not initialized. Call /operations/initialize first.',
    ]);
    await operation('initialize', { closed_through: '2026-01', earliest_data_period: '2025-12' });
    const before = (await user.graphql(graph, calendar)).body;
    for (const [period, message] of [
      ['2026-13', 'period'],
      ['2026-04', 'later than the last completed month, 2026-03'],
      ['2025-12', 'earlier than the last closed month, 2026-01'],
    ] as const) {
      const refused = await operation('set-close-target', { period });
      expect([refused.status, refused.body.detail]).toEqual([422, expect.stringContaining(message)]);
    }
    expect((await user.graphql(graph, calendar)).body).toEqual(before);
    const same = await operation('set-close-target', { period: '2026-01' });
    expect(same.body.result).toMatchObject({ close_target: '2026-01', catch_up_sequence: [], closeable_now: false });
  });
});
