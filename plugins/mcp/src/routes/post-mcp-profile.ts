import { anything, defineRoute } from '@pacioli/core';
import { mcpEndpoint } from '../endpoint/index.ts';

export default defineRoute({
  name: 'post-mcp-profile',
  path: 'POST /v1/mcp/{profile}',
  summary:
    'One message of the Model Context Protocol to the tools of the graph that an access token grants, for one domain.',
  openapi: { id: 'post_mcp_profile', tag: 'mcp' },
  hidden: true,
  // The endpoint authenticates and counts calls by itself, because its refusals have the form of the protocol.
  category: null,
  auth: [],
  answers: { 200: anything(), 202: null },
  fails: [400, 401, 403, 404, 406, 413, 415, 429],
  services: { mcpEndpoint },

  handle: ({ params, ctx, use }) =>
    use.mcpEndpoint.answer(ctx, { path: `/v1/mcp/${params.profile}`, graphId: undefined, profile: params.profile }),
});
