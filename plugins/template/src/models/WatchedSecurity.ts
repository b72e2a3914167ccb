import { instant, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';

export const WatchedSecurity = model('WatchedSecurity', {
  ticker: Type.String(),
  note: nullable(Type.String()),
  added_at: instant(),
});
