import { defineOperation, finishedAtOnce, model, nullable, type WriteContext } from '@pacioli/core';
import { Type } from 'typebox';
import { Distribution, distributionServices, sharingErrors } from '../distribution/index.ts';

export default defineOperation({
  name: 'share-report',
  summary:
    'Delivers a copy of a published report to every member of a publish list; waits for all outcomes unless it is large.',
  role: 'member',
  runs: 'worker',
  untypedResult: false,
  // Published clients parse no other status of this route (platform N-3).
  acceptedStatus: 200,
  maxSeconds: 3_600,
  restartable: true,
  dedupe: false,
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
    ...sharingErrors,
  },

  // Each recipient has a transaction of its own, and none of them may wait for the one of this graph.
  async prepare({ input, ctx, use }) {
    const results = await new Distribution(use).shareAtOnce({ ...workOf(input, ctx), signal: ctx.signal });
    if (results !== undefined) return finishedAtOnce({ report_id: input.report_id, results: [...results] });
    return undefined;
  },

  async admit({ input, ctx, use }) {
    await new Distribution(use).accept(ctx.tx, { ...workOf(input, ctx), operationId: ctx.operationId });
    return { report_id: input.report_id, results: [] };
  },

  async handle({ input, ctx, use }) {
    if (ctx.graph === undefined) throw new Error('share-report requires a graph, but its run has none.');
    const work = { graphId: ctx.graph.id, reportId: input.report_id };
    return { report_id: input.report_id, results: [...(await new Distribution(use).deliverRun(ctx, work))] };
  },
});

function workOf(
  input: { readonly publish_list_id: string; readonly report_id: string },
  { graph, caller, now }: Pick<WriteContext, 'graph' | 'caller' | 'now'>,
) {
  return {
    graphId: graph.id,
    listId: input.publish_list_id,
    reportId: input.report_id,
    userId: caller.userId,
    now: now(),
  };
}
