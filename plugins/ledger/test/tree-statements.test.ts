/** @module-tag sessions */
// Goal: the number of statements for the tree and its balances does not grow with the chart or the books.
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bookOf, done, entry, openBooks, startLedger } from './books.ts';
import { type Interference, interfereWith } from './statement-hook.ts';

let service: TestService;
let user: TestClient;
let interference: Interference;
beforeAll(async () => {
  ({ service, user } = await startLedger());
  interference = interfereWith(service.store);
});
afterAll(async () => {
  await service.close();
});

const added = 40;
const read = `{ accountTree { totalAccounts } trialBalance { rows { accountCode } }
  accountRollups { groups { accounts { accountCode netBalance } } } }`;

it('runs the same statements for accountTree and trialBalance with few accounts and with many (ledger L-38, L-39, L-42)', async () => {
  const book = await openBooks(user);
  const statementsOfRead = async (): Promise<{ readonly statements: readonly string[]; readonly accounts: number }> => {
    const statements: string[] = [];
    interference.beforeStatement = async (statement, tx) => {
      // Other statements of the service are not in the scope of this graph.
      if (tx.scope !== 'kernel' && /taxonomy_element|ledger_line_item|taxonomy_association/.test(statement))
        statements.push(statement);
    };
    const answer = await book.query(read);
    interference.beforeStatement = undefined;
    return { statements, accounts: answer.accountTree.totalAccounts };
  };
  const before = await statementsOfRead();
  const { taxonomies } = (await book.query('{ taxonomies(taxonomyType: "chart_of_accounts") { taxonomies { id } } }'))
    .taxonomies;
  const elements = Array.from({ length: added }, (_, index) => ({
    qname: `coa:61${index + 10}x`,
    code: `61${index + 10}x`,
    name: `Expense ${index}`,
    trait: 'expense',
    sub_classification: 'operating',
    element_type: 'concept',
    parent_ref: 'coa:6100',
  }));
  await done(book, 'update-taxonomy-block', { taxonomy_id: taxonomies[0].id, elements_to_add: elements });
  const grown = await bookOf(user, book.graph);
  for (const { code } of elements) {
    const legs = [
      [code, 5, 0],
      ['1000', 0, 5],
    ] as const;
    await done(grown, 'create-event-block', entry(grown, '2026-03-20', legs));
  }
  const after = await statementsOfRead();
  expect(after.accounts).toBe(before.accounts + added);
  expect(before.statements.length).toBeGreaterThanOrEqual(3);
  expect(after.statements).toEqual(before.statements);
});
