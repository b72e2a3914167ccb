import { defineRoute, graphOf, toolCatalog } from '@pacioli/core';
import { Type } from 'typebox';

export const reminderTools = defineRoute({
  name: 'reminder-tools',
  path: 'GET /v1/graphs/{graph_id}/reminders/tools',
  summary: 'Lists the tools for reminders that the caller may use.',
  openapi: { id: 'reminder_tools', tag: 'reminders' },
  category: 'reminders',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  answers: { 200: Type.Array(Type.String()) },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { toolCatalog },
  async handle({ ctx, use }) {
    const tools = await use.toolCatalog.list({ caller: ctx.caller, graphId: graphOf(ctx).id });
    return tools.map(({ name }) => name).filter((name) => name.includes('reminder'));
  },
});
