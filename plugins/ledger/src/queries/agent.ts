import { defineQuery, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { books } from '../books.ts';
import { Agent, withBalances } from '../models/agents.ts';

export default defineQuery({
  name: 'agent',
  summary: 'One counterparty, active or not.',
  args: model('AgentArgs', { id: Type.String() }),
  returns: nullable(Agent),
  mcp: { tool: 'get-agent', hint: 'Reads one counterparty by its id.' },
  services: { books },
  async resolve({ args, ctx, use }) {
    const row = await use.books.agents.find(ctx.tx, args.id);
    if (row === undefined) return null;
    return withBalances([row], (side, ids) => use.books.openBalances.ofAgents(ctx.tx, side, ids))[0] ?? null;
  },
});
