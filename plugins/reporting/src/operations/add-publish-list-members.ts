import { defineOperation, kernel, model, orgDirectory } from '@pacioli/core';
import { Type } from 'typebox';
import {
  acceptedTargets,
  addMembers,
  countCall,
  namesOf,
  requireOwnList,
  requireTargets,
  tooManyAdditions,
} from '../distribution/index.ts';
import { PublishListMemberResponse, shownMember } from '../models/PublishList.ts';

export default defineOperation({
  name: 'add-publish-list-members',
  summary: 'Adds graphs that may receive reports to a publish list, all or none of them.',
  role: 'member',
  domain: 'ledger',
  openapi: { id: 'add_publish_list_members', tag: 'extensions_robo_ledger' },
  input: model('AddPublishListMembersOperation', {
    list_id: Type.String(),
    target_graph_ids: Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 100 }),
  }),
  output: Type.Array(PublishListMemberResponse),
  mcp: { held: 'Decides who receives reports.' },
  services: { ids: kernel.ids, store: kernel.store, graphs: kernel.graphs, orgs: orgDirectory },
  errors: {
    INVALID_INPUT: 'A graph cannot receive reports, is this graph itself, or the list would be too long.',
    NOT_AUTHOR: { kind: 'forbidden', meaning: 'Another user created the list.' },
    NOT_FOUND: 'The graph has no list with this id, or a graph does not exist.',
    ALREADY_MEMBER: { kind: 'conflict', meaning: 'The list has some of the graphs already.' },
    TOO_MANY_ATTEMPTS: { kind: 'rate_limited', meaning: 'The caller has added members 60 times within an hour.' },
  },

  async prepare({ input, ctx, use }) {
    const { caller, graph } = ctx;
    // Refused calls count, too: their answers tell which graphs exist (investor L-3).
    const isCounted = await use.store.transaction({ graphId: graph.id }, async (tx) => {
      await requireOwnList(tx, input.list_id, caller.userId);
      return countCall(tx, use.ids, { kind: 'addition', subject: caller.userId, now: ctx.now() });
    });
    if (!isCounted) throw tooManyAdditions();
    await requireTargets(use, graph.id, input.target_graph_ids);
    const known = await use.store.transaction(
      { graphId: graph.id },
      (tx) => acceptedTargets(tx, input.target_graph_ids),
      { readOnly: true },
    );
    return namesOf(use, input.target_graph_ids, { orgId: graph.orgId, known });
  },

  async handle({ input, ctx, use, prepared }) {
    const work = { tx: ctx.tx, userId: ctx.caller.userId, now: ctx.now() };
    const names = prepared as Awaited<ReturnType<typeof namesOf>>; // Made by `prepare`.
    const given = { listId: input.list_id, targetIds: input.target_graph_ids, names };
    return (await addMembers(work, use.ids, given)).map(shownMember);
  },
});
