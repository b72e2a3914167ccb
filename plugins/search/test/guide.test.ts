// Goal: the calls that the guide on documents prints work as printed. Method: they are run in their order.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loose, openLibrary, type SearchService, startSearch } from './search-service.ts';

const guide = new URL('../../../docs/guide/12-documents-and-search.md', import.meta.url);

describe('docs/guide/12-documents-and-search.md', () => {
  let running: SearchService;
  let graphId: string;
  beforeAll(async () => {
    running = await startSearch();
    graphId = await openLibrary(running.owner);
  });
  afterAll(() => running.service.close());

  it('prints calls that work in their order', async () => {
    let policyId = 'POLICY';
    const answers: Loose[] = [];
    const blocks = [...readFileSync(guide, 'utf8').matchAll(/```text\n([\s\S]*?)```/g)].map(([, text = '']) => text);
    for (const line of blocks.flatMap((block) => block.trim().split('\n'))) {
      const [, method = '', path = '', body = ''] = /^(GET|POST) (\S+) ?(.*)$/.exec(line) ?? [];
      const named = (text: string): string => text.replaceAll('POLICY', policyId);
      const url = `/v1/graphs/${graphId}/${named(path)}`;
      const answer = await running.owner.request(method, url, body === '' ? undefined : JSON.parse(named(body)));
      expect([line, answer.status, answer.body.detail]).toEqual([line, 200, undefined]);
      if (answers.length === 0) policyId = answer.body.result.id;
      answers.push(answer.body);
    }
    const hits = answers.map((answer) => answer.hits?.map((hit: Loose) => hit.section_id));
    expect(hits.filter((each) => each !== undefined)).toEqual([['bank'], ['fixed-assets'], expect.anything(), []]);
    expect(answers[4].hits[0]).toMatchObject({ document_title: 'Lease memo' });
    expect(answers[4].hits[0].score).toBeGreaterThan(0.75);
    expect(answers[6].documents.map((each: Loose) => each.folder)).toContain('policies');
    expect(answers).toHaveLength(10);
  });
});
