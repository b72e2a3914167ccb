import { defineOperation, instant, model } from '@pacioli/core';
import { Type } from 'typebox';
import { Distribution, distributionServices, sharingErrors } from '../distribution/index.ts';

export default defineOperation({
  name: 'revoke-report-share',
  summary: 'Withdraws a shared report from one graph: deletes its copy there and ends the share.',
  role: 'member',
  effect: 'destructive',
  domain: 'ledger',
  openapi: { id: 'revoke_report_share', tag: 'extensions_robo_ledger' },
  input: model('RevokeReportShareOperation', { report_id: Type.String(), target_graph_id: Type.String() }),
  output: model('RevokeReportShareResponse', {
    report_id: Type.String(),
    target_graph_id: Type.String(),
    revoked_at: instant(),
    copy_deleted: Type.Boolean(),
  }),
  mcp: { held: 'Takes figures away from other graphs.' },
  services: distributionServices,
  errors: {
    NOT_AUTHOR: { kind: 'forbidden', meaning: 'The caller is neither the author of the report nor an admin.' },
    NOT_FOUND: 'The report has no active share with this graph.',
    ...sharingErrors,
  },

  // The recipient has a transaction of its own, before the one of this graph (investor B-1).
  prepare({ input, ctx, use }) {
    return new Distribution(use).revoke({
      graphId: ctx.graph.id,
      reportId: input.report_id,
      targetGraphId: input.target_graph_id,
      userId: ctx.caller.userId,
      isAdmin: ctx.graph.role === 'admin',
      now: ctx.now(),
    });
  },

  async handle({ prepared }) {
    return prepared as Awaited<ReturnType<Distribution['revoke']>>; // Made by `prepare`.
  },
});
