import { defineRoute, graphOf, kernel, requestFacts, securityAudit, sql } from '@pacioli/core';

const path = 'DELETE /v1/graphs/{graph_id}/reminders';

export const clearReminders = defineRoute({
  name: 'clear-reminders',
  path,
  summary: 'Deletes all reminders of a graph, and records who did.',
  openapi: { id: 'clear_reminders', tag: 'reminders' },
  category: 'reminders',
  auth: ['api-key', 'bearer'],
  role: 'admin',
  answers: { 204: null },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { store: kernel.store, securityAudit },
  async handle({ ctx, use }) {
    const { id: graphId } = graphOf(ctx);
    await use.store.transaction({ graphId }, (tx) => tx.query(sql`DELETE FROM reminders_reminder`));
    const request = requestFacts(ctx, path);
    await use.securityAudit.record({ type: 'admin_action', risk: 'low', caller: ctx.caller, graphId, request });
  },
});
