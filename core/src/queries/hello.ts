import { Type } from 'typebox';
import { defineQuery } from '../define/query.ts';

export default defineQuery({
  name: 'hello',
  summary: 'Says who you are, or greets you.',
  returns: Type.String(),
  cost: { points: 1 },
  anonymousAnswer: 'Hello. Sign in to read data.',
  async resolve({ ctx }) {
    return `Hello, ${ctx.caller.email}`;
  },
});
