import { defineOperation, model } from '@pacioli/core';
import { Type } from 'typebox';
import securityDeactivated from '../events/security-deactivated.ts';
import { investments } from '../investments.ts';

export default defineOperation({
  name: 'delete-security',
  summary: 'Deactivates a security: it takes no new positions, and its positions stay.',
  role: 'member',
  openapi: { id: 'delete_security', tag: 'extensions_robo_investor' },
  input: model('DeleteSecurityOperation', { security_id: Type.String() }),
  output: model('DeleteResult', { deleted: Type.Boolean() }),
  mcp: {
    hint: 'Deactivates a security, so that it takes no new positions.',
    destructive: true,
    idempotent: true,
    confirmation: 'Deactivates the security; it takes no new positions.',
  },
  services: { investments },
  stale: 'security_deleted',
  emits: [securityDeactivated],
  errors: { NOT_FOUND: 'The graph has no security with this id.' },

  async handle({ input, ctx, use }) {
    await use.investments.securityEditor.deactivate(ctx.tx, input.security_id, ctx.now());
    ctx.emit(securityDeactivated, { graph_id: ctx.graph.id, security_id: input.security_id });
    return { deleted: true };
  },
});
