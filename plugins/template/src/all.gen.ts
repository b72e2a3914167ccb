// Written by `npm run gen`. Do not edit.
import type { PluginParts } from '@pacioli/core';
import watchSecurity from './operations/watch-security.ts';
import watchedSecurities from './queries/watchedSecurities.ts';
import securityWatchedEvent from './events/security-watched.ts';

export const all = {
  operations: [watchSecurity],
  queries: [watchedSecurities],
  events: [securityWatchedEvent],
} as const satisfies PluginParts;
