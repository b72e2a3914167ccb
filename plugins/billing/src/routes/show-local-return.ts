import { answer, anything, defineRoute, model, oneOf } from '@pacioli/core';
import { Type } from 'typebox';
import { pageHeaders, returnPage } from '../local/index.ts';

export default defineRoute({
  name: 'show-local-return',
  path: 'GET /_billing/return',
  summary: 'The page after a checkout in a deployment without a front-end application.',
  openapi: { id: 'show_local_return', tag: 'billing' },
  hidden: true,
  category: 'billing',
  auth: [],
  query: model('LocalReturnQuery', { outcome: Type.Optional(oneOf(['success', 'left'])) }),
  answers: { 200: anything() },
  fails: [422, 429, 500],
  async handle({ query }) {
    return answer(200, returnPage(query.outcome === 'success'), pageHeaders);
  },
});
