import { defineQuery, model, nullable } from '@pacioli/core';
import { paginationInfo } from '@pacioli/taxonomy';
import { Type } from 'typebox';
import { investments } from '../investments.ts';
import { Security, securityView } from '../models/securities.ts';
import { defaultRows, listPageOf, paginationOf } from '../values/index.ts';

const SecurityList = model('SecurityList', { securities: Type.Array(Security), pagination: paginationInfo });

export default defineQuery({
  name: 'securities',
  summary: 'Securities by name, active or not unless isActive is given.',
  args: model('SecuritiesArgs', {
    entity_id: Type.Optional(nullable(Type.String())),
    security_type: Type.Optional(nullable(Type.String())),
    is_active: Type.Optional(nullable(Type.Boolean())),
    limit: Type.Optional(nullable(Type.Integer())),
    offset: Type.Optional(nullable(Type.Integer())),
  }),
  returns: nullable(SecurityList),
  mcp: { tool: 'list-securities', hint: 'Look here before you add a security.' },
  services: { investments },
  cost: { points: 10, defaultRows },
  async resolve({ args, ctx, use }) {
    const { securities, issuers } = use.investments;
    const page = listPageOf(args);
    const filter = {
      entityId: args.entity_id ?? undefined,
      securityType: args.security_type ?? undefined,
      isActive: args.is_active ?? undefined,
    };
    const found = await securities.list(ctx.tx, filter, page);
    const rows = found.slice(0, page.limit);
    const names = await issuers.summaries(
      ctx.tx,
      rows.map((row) => row.entity_id),
    );
    const hasMore = found.length > page.limit;
    return {
      securities: rows.map((row) => securityView(row, names)),
      pagination: paginationOf(page, { hasMore, count: () => securities.count(ctx.tx, filter) }),
    };
  },
});
