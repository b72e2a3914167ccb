import { defineOperation, invalidInput, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { normalizeTicker } from '../domain/normalize-ticker.ts';
import securityWatched from '../events/security-watched.ts';
import { watchlist } from '../tokens.ts';

export default defineOperation({
  name: 'watch-security',
  summary: 'Adds a security to the watchlist or changes its note.',
  role: 'member',
  openapi: { id: 'watch_security', tag: 'watchlist' },
  input: model('WatchSecurityRequest', {
    ticker: Type.String({ minLength: 1, maxLength: 20 }),
    note: Type.Optional(nullable(Type.String({ maxLength: 500 }))),
  }),
  output: model('WatchSecurityResponse', { ticker: Type.String(), is_new: Type.Boolean() }),
  mcp: { hint: 'Adds a security to the watchlist, or changes the note of one that is on it.', idempotent: true },
  services: { watchlist },
  emits: [securityWatched],
  errors: { INVALID_INPUT: 'The ticker contains invalid characters.' },
  examples: [
    { input: { ticker: 'ACME', note: 'after the next report' } },
    // The note of a security that is on the list already; `{{watch-security.ticker}}` is that of the first call's result.
    {
      input: { ticker: '{{watch-security.ticker}}', note: null },
      given: [{ operation: 'watch-security', input: { ticker: 'ACME', note: 'after the next report' } }],
    },
    { input: { ticker: 'TWO WORDS' }, fails: 'INVALID_INPUT' },
  ],

  async handle({ input, ctx, use }) {
    const ticker = normalizeTicker(input.ticker);
    if (ticker === undefined) throw invalidInput('ticker: use 1 to 12 letters, digits, dots or dashes.');
    const isNew = await use.watchlist.add(ctx.tx, ctx.graph.id, {
      ticker,
      note: input.note ?? null,
      added_at: ctx.now(),
    });
    if (isNew) ctx.emit(securityWatched, { ticker });
    return { ticker, is_new: isNew };
  },
});
