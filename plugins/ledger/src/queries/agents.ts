import { defineQuery, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { books } from '../books.ts';
import { Agent, withBalances } from '../models/agents.ts';
import { bookPageOf } from '../values/index.ts';

export default defineQuery({
  name: 'agents',
  summary: 'Counterparties by name; the retired ones only when isActive is false or null.',
  args: model('AgentsArgs', {
    agent_type: Type.Optional(nullable(Type.String())),
    source: Type.Optional(nullable(Type.String())),
    is_active: Type.Optional(nullable(Type.Boolean({ default: true }))),
    limit: Type.Optional(nullable(Type.Integer())),
    offset: Type.Optional(nullable(Type.Integer())),
  }),
  returns: Type.Array(Agent),
  mcp: { tool: 'list-agents', hint: 'Look here before you add a counterparty.' },
  services: { books },
  async resolve({ args, ctx, use }) {
    const rows = await use.books.agents.list(
      ctx.tx,
      {
        agentType: args.agent_type ?? undefined,
        source: args.source ?? undefined,
        isActive: args.is_active ?? undefined,
      },
      bookPageOf(args, 50),
    );
    return withBalances(rows, (side, ids) => use.books.openBalances.ofAgents(ctx.tx, side, ids));
  },
});
