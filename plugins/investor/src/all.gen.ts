// Written by `npm run gen`. Do not edit.
import type { PluginParts } from '@pacioli/core';
import createSecurity from './operations/create-security.ts';
import deleteSecurity from './operations/delete-security.ts';
import updateSecurity from './operations/update-security.ts';
import securities from './queries/securities.ts';
import security from './queries/security.ts';
import securityCreatedEvent from './events/security-created.ts';
import securityDeactivatedEvent from './events/security-deactivated.ts';
import securityUpdatedEvent from './events/security-updated.ts';

export const all = {
  operations: [createSecurity, deleteSecurity, updateSecurity],
  queries: [securities, security],
  events: [securityCreatedEvent, securityDeactivatedEvent, securityUpdatedEvent],
} as const satisfies PluginParts;
