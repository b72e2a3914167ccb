import { defineEvent, model } from '@pacioli/core';
import { Type } from 'typebox';

export default defineEvent('watchlist.security-watched', model('SecurityWatched', { ticker: Type.String() }));
