import { defineOperation, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { Distribution, distributionServices } from '../distribution/index.ts';

export default defineOperation({
  name: 'share-report',
  summary: 'Delivers a copy of a published report to every member of a publish list, and waits for all outcomes.',
  role: 'member',
  domain: 'ledger',
  openapi: { id: 'share_report', tag: 'extensions_robo_ledger' },
  input: model('ShareReportOperation', { publish_list_id: Type.String(), report_id: Type.String() }),
  output: model('ShareReportResponse', {
    report_id: Type.String(),
    results: Type.Array(
      model('ShareResultItem', {
        target_graph_id: Type.String(),
        status: Type.String(),
        error: Type.Optional(nullable(Type.String())),
        fact_count: Type.Optional(Type.Integer({ default: 0 })),
      }),
    ),
  }),
  mcp: { held: 'Sends figures to other graphs.' },
  services: distributionServices,
  errors: {
    INVALID_INPUT: 'The list has no members, or the report is not published.',
    NOT_AUTHOR: { kind: 'forbidden', meaning: 'Another user created the report, or it is a copy.' },
    NOT_FOUND: 'The graph has no list or no report with this id.',
    WRITE_CONFLICT: { kind: 'conflict', meaning: 'Another request is writing or sharing the report.' },
  },

  // Each recipient has a transaction of its own, and none of them may wait for the one of this graph.
  prepare({ input, ctx, use }) {
    return new Distribution(use).share({
      graphId: ctx.graph.id,
      listId: input.publish_list_id,
      reportId: input.report_id,
      userId: ctx.caller.userId,
      now: ctx.now(),
      signal: ctx.signal,
    });
  },

  async handle({ input, prepared }) {
    const results = prepared as Awaited<ReturnType<Distribution['share']>>; // Made by `prepare`.
    return { report_id: input.report_id, results: [...results] };
  },
});
