import { Type } from 'typebox';
import { defineQuery } from '../define/query.ts';

export default defineQuery({
  name: 'hello',
  summary: 'Greets the caller by email address.',
  returns: Type.String(),
  cost: { points: 1 },
  anonymousAnswer: 'Hello. Sign in to read data.',
  async resolve({ ctx }) {
    return `Hello, ${ctx.caller.email}`;
  },
});
