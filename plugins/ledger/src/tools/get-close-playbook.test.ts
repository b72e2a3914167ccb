import { type Caller, toolCatalog } from '@pacioli/core';
import type { TestClient } from '@pacioli/testing';
import { describe, expect, it } from 'vitest';
import { done, openBooks } from '../../test/books.ts';
import { clock, service, useCloseBooks, user } from '../../test/close-fixture.ts';

useCloseBooks();

async function playbook(graphId: string, by: TestClient = user) {
  const { id } = (await by.get('/v1/user')).body;
  const caller: Caller = { userId: id, email: '', name: '', credential: 'jwt' };
  const signal = new AbortController().signal;
  const call = { caller, graphId, name: 'get-close-playbook', arguments: {}, source: 'mcp', signal } as const;
  return JSON.parse((await service.service.services.resolve(toolCatalog).call(call)).text);
}

describe('get-close-playbook', () => {
  it('sends books without a calendar to a person, because initialize is held (ai-surface 5.2, M-50)', async () => {
    const graph = await user.createGraph('Books', ['roboledger']);
    expect(await playbook(graph)).toEqual({
      period: null,
      closed_through: null,
      closeable_now: false,
      blockers: [],
      advice: 'The books have no calendar. Ask a person to initialize them.',
      steps: [],
    });
  });

  it('names the steps of the next month in order, and what each one clears (ai-surface 5.2, ledger 7.3)', async () => {
    clock.set('2026-03-31T12:00:00Z');
    const book = await openBooks(user, 'llc', { closed_through: '2026-02' });
    const early = await playbook(book.graph);
    expect(early).toMatchObject({ period: '2026-03', closed_through: '2026-02', closeable_now: false });
    expect(early.advice).toBe('2026-03 cannot be closed yet. Work through the steps that have blockers.');
    expect(early.steps.map(({ step, tool, blockers }: Step) => [step, tool, blockers])).toEqual([
      [1, 'create-event-block', []],
      [2, 'promote-obligations', []],
      [3, 'resolve-reconciling-item', []],
      [4, 'get-unmapped-elements', []],
      [5, 'list-period-drafts', []],
      [6, 'close-period', ['period_incomplete']],
    ]);
    clock.set('2026-04-01T12:00:00Z');
    expect(await playbook(book.graph)).toMatchObject({
      closeable_now: true,
      blockers: [],
      advice: 'Nothing blocks the close of 2026-03.',
    });
    await done(book, 'close-period', { period: '2026-03' });
    expect(await playbook(book.graph)).toMatchObject({ closed_through: '2026-03' });
  });
});

interface Step {
  readonly step: number;
  readonly tool: string;
  readonly blockers: readonly string[];
}
