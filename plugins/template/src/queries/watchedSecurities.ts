import { defineQuery, instant, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { watchlist } from '../tokens.ts';

const WatchedSecurity = model('WatchedSecurity', {
  ticker: Type.String(),
  note: nullable(Type.String()),
  added_at: instant(),
});

const maxSecurities = 1000;

export default defineQuery({
  name: 'watchedSecurities',
  summary: 'The securities on the watchlist, by ticker.',
  args: model('WatchedSecuritiesArgs', { limit: Type.Optional(Type.Integer()) }),
  returns: Type.Array(WatchedSecurity),
  services: { watchlist },
  async resolve({ args, ctx, use }) {
    const limit = Math.min(Math.max(args.limit ?? 50, 1), maxSecurities);
    const rows = await use.watchlist.list(ctx.tx, limit);
    return rows.map((row) => ({ ...row, added_at: row.added_at.toISOString() }));
  },
});
