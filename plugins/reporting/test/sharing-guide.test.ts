// Goal: the calls that the guide on shared reports prints work as printed. Method: they are run in their order.
import { readFileSync } from 'node:fs';
import type { TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReport, type ExampleBooks, type Loose, openExampleBooks } from './example-books.ts';
import { type GraphUser, newHolder, startSharing } from './sharing-graphs.ts';

const guide = new URL('../../../docs/guide/10-sharing-reports.md', import.meta.url);

let service: TestService;
let books: ExampleBooks;
let lender: GraphUser;
let reportId: string;
beforeAll(async () => {
  const started = await startSharing();
  ({ service } = started);
  books = await openExampleBooks(started.user);
  await books.post('2026-03-10', [
    ['1000', 500, 0],
    ['3000', 0, 500],
  ]);
  reportId = (await createReport(books)).id;
  lender = await newHolder(service, 'Lender', ['investor']);
});
afterAll(async () => {
  await service.close();
});

describe('docs/guide/10-sharing-reports.md', () => {
  it('prints calls that work in their order', async () => {
    const ids = new Map([
      ['LENDER', lender.graph],
      ['COMPANY', books.graph],
      ['REPORT', reportId],
    ]);
    const results: Loose[] = [];
    const blocks = [...readFileSync(guide, 'utf8').matchAll(/```text\n([\s\S]*?)```/g)].map(([, text = '']) => text);
    for (const line of blocks.flatMap((block) => block.trim().split('\n'))) {
      const [, side, name = '', text = ''] = /^(company|lender) (\S+) (.*)$/.exec(line) ?? [];
      const body = text.replaceAll(/"([A-Z]+)"/g, (_found, word: string) => `"${ids.get(word) ?? word}"`);
      const answer =
        side === 'company'
          ? await books.operation(name, JSON.parse(body))
          : await lender.client.post(`/extensions/ledger/${lender.graph}/operations/${name}`, JSON.parse(body));
      expect([line, answer.status, answer.body.detail]).toEqual([line, 200, undefined]);
      if (name === 'create-publish-list') ids.set('LIST', answer.body.result.id);
      results.push(answer.body.result);
    }
    expect(results).toHaveLength(7);
    expect(results[2].results).toMatchObject([{ status: 'shared' }]);
    expect(results[3]).toMatchObject({ copy_deleted: true });
  });
});
