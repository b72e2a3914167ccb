import blocks, { rulePatterns } from '@pacioli/blocks';
import { type Contribution, contribute, definePlugin, provide, type ServiceTokens, type Token } from '@pacioli/core';
import { describeSet } from '@pacioli/core/assembly';
import taxonomy, { chartListeners } from '@pacioli/taxonomy';
import { describe, expect, it } from 'vitest';
import ledger from './plugin.ts';
import {
  aging,
  balances,
  bookkeeping,
  bookVerifier,
  calendar,
  closeGates,
  closeSteps,
  closeWarnings,
  entities,
  eventHandlers,
  fiscalYearStart,
  journalDrafts,
  ledgerLog,
  periodBalances,
  reconciliation,
  rollforwards,
  scheduleSettings,
} from './tokens.ts';

/** Assembles the ledger with a plugin that makes these contributions; they are never created. */
function assembleWith(...contributions: readonly Contribution[]): void {
  const dependsOn = ['taxonomy', 'blocks', 'ledger'];
  const guest = definePlugin({
    name: 'guest',
    title: 'Guest',
    version: '1.0.0',
    kernel: '^0.1.0',
    dependsOn,
    contributions,
  });
  describeSet({ plugins: [taxonomy, blocks, ledger, guest] });
}

const entry = (collection: Parameters<typeof contribute>[0], key: string, services: ServiceTokens): Contribution =>
  contribute(collection, key, { services, create: () => ({}) });

describe('the layers of the ledger', () => {
  it('let contributions of other plugins use the services of the layers below', () => {
    const stored = { aging, balances, entities, fiscalYearStart, periodBalances, rollforwards };
    const scheduled = { ...stored, scheduleSettings };
    expect(() =>
      assembleWith(
        entry(chartListeners, 'guest', { balances, entities }),
        entry(rulePatterns, 'Guest', stored),
        entry(eventHandlers, 'guest_sold', scheduled),
        entry(closeGates, 'guest_open', { ...scheduled, journalDrafts, reconciliation }),
        entry(closeSteps, 'guest', { ...scheduled, journalDrafts, reconciliation }),
      ),
    ).not.toThrow();
  });

  it('reject an event handler that writes drafts itself, because they are planned with all handlers', () => {
    expect(() => assembleWith(entry(eventHandlers, 'guest_sold', { journalDrafts }))).toThrow(
      'entry "guest_sold" of ledger.event-handlers → ledger.journal-drafts',
    );
  });

  it.each([
    [aging, 'ledger.books'],
    [bookkeeping, 'ledger.book-writes'],
    [calendar, 'ledger.books'],
    [entities, 'ledger.stored-entities'],
    [fiscalYearStart, 'ledger.books'],
    [journalDrafts, 'ledger.book-writes'],
    [periodBalances, 'ledger.books'],
    [reconciliation, 'ledger.book-writes'],
    [rollforwards, 'ledger.books'],
    [scheduleSettings, 'ledger.scheduling'],
  ] as readonly (readonly [Token<unknown>, string])[])(
    'reject an override of $id, which the ledger uses without its token (platform X-12)',
    (token, whole) => {
      const override = [provide(token, { create: () => ({}) })];
      expect(() => describeSet({ plugins: [taxonomy, blocks, ledger], override })).toThrow(
        `the host overrides "${token.id}", but it is a part of "${whole}"`,
      );
    },
  );

  it('accept an override of the services that their own parts use by token', () => {
    const override = [balances, bookVerifier, closeWarnings, ledgerLog].map((token: Token<unknown>) =>
      provide(token, { create: () => ({}) }),
    );
    expect(() => describeSet({ plugins: [taxonomy, blocks, ledger], override })).not.toThrow();
  });

  it('reject a handler and a gate under keys that the ledger itself has', () => {
    expect(() =>
      assembleWith(entry(eventHandlers, 'asset_disposed', {}), entry(closeGates, 'pending_obligations', {})),
    ).toThrow(/"asset_disposed"[^\n]* is contributed by [^\n]*\n[^\n]*"pending_obligations"[^\n]* is contributed by/);
  });
});
