import {
  createToken,
  defineOperation,
  definePlugin,
  model,
  openObject,
  provide,
  type Transaction,
} from '@pacioli/core';
import { Type } from 'typebox';
import { type Bookkeeping, type BookkeepingAuthor, bookkeeping, bookkeepingErrors } from '../src/index.ts';
import { claimSource, payClaim } from './examples/pay-claim.ts';

export type Work = (books: Bookkeeping, tx: Transaction, by: BookkeepingAuthor) => Promise<object>;
/** The work that the operation `write-books` does next. */
export const next = createToken<{ work: Work }>('claims.next');

/** A plugin that writes to the books as a third party would: only what the package exports. */
export const claims = definePlugin({
  name: 'claims',
  title: 'Expense claims',
  version: '1.0.0',
  kernel: '^0.1.0',
  dependsOn: ['ledger'],
  providers: [provide(next, { create: () => ({ work: async () => ({}) }) })],
  contributions: [claimSource],
  domain: 'claims',
  operations: [
    payClaim,
    defineOperation({
      name: 'write-books',
      summary: 'Does the work of the test in the transaction of an operation.',
      role: 'member',
      domain: 'ledger',
      openapi: { id: 'write_books', tag: 'test' },
      mcp: { held: 'Only for tests.' },
      input: model('WriteBooksRequest', { fails: Type.Optional(Type.Boolean()) }),
      output: model('WriteBooksResponse', { given: openObject() }),
      services: { bookkeeping, next },
      errors: { ...bookkeepingErrors.record, ...bookkeepingErrors.reverse },
      handle: async ({ input, ctx, use }) => {
        const given = await use.next.work(use.bookkeeping, ctx.tx, { userId: ctx.caller.userId, now: ctx.now() });
        if (input.fails === true) throw new Error('The plugin fails after it wrote to the books.');
        return {
          given: JSON.parse(
            JSON.stringify(given, (_name, value) => (typeof value === 'bigint' ? Number(value) : value)),
          ),
        };
      },
    }),
  ],
});
