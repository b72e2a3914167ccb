// Goal: the requests of the guide for AI clients work as printed. Method: each is sent, with exactly its headers, in order.
import { readFileSync } from 'node:fs';
import graph from '@pacioli/graph';
import mcp from '@pacioli/mcp';
import { startTestService, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const guide = readFileSync(new URL('../../../docs/guide/14-ai-clients.md', import.meta.url), 'utf8');
const blocksOf = (language: string) =>
  [...guide.matchAll(/```(\w+)\n([\s\S]*?)```/g)].filter(([, of]) => of === language).map(([, , text = '']) => text);

let service: TestService;
/** The placeholders of the guide, with the values of this test. */
const values = new Map<string, string>();

beforeAll(async () => {
  service = await startTestService({ plugins: [graph, mcp] });
  const user = await service.newUser('Ann');
  values.set('GRAPH', await user.createGraph('Books', []));
  values.set('Bearer TOKEN', user.headers['authorization'] ?? '');
});
afterAll(() => service.close());

function filledIn(text: string): string {
  return [...values].reduce((filled, [name, value]) => filled.replaceAll(name, value), text);
}

async function send(block: string) {
  const [head = '', ...body] = filledIn(block).split('\n\n');
  const [request = '', ...headers] = head.split('\n');
  const [method = '', path = ''] = request.split(' ');
  const answer = await fetch(`${service.url}${path}`, {
    method,
    headers: headers.map((line): [string, string] => {
      const [, name = '', value = ''] = /^([^:]+): (.*)$/.exec(line) ?? [];
      return [name, value];
    }),
    body: body.join('\n\n'),
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

describe('docs/guide/14-ai-clients.md', () => {
  it('shows requests that the service answers as it says', async () => {
    const requests = blocksOf('http');
    expect(requests).toHaveLength(3);
    const [createKey = '', discover = '', call = ''] = requests;
    const created = await send(createKey);
    expect(created.status).toBe(201);
    values.set('rfs...', created.body.key);

    const discovered = await send(discover);
    expect(discovered.status).toBe(200);
    expect(discovered.body.result.instructions).toContain('get-graph-schema');
    expect(discovered.body.result.instructions).not.toContain('close-period');

    const called = await send(call);
    expect(called.status).toBe(200);
    expect(JSON.parse(called.body.result.content[0].text)).toMatchObject({
      graph_id: values.get('GRAPH'),
      name: 'Books',
    });
    const nameless = await send(call.replace(/^Mcp-Name: .*\n/m, ''));
    expect([nameless.status, nameless.body.error.code]).toEqual([400, -32020]);
  });

  it('shows a configuration with the address and the key of these requests', () => {
    const [configuration = ''] = blocksOf('json');
    const { books } = JSON.parse(configuration).mcpServers;
    expect(blocksOf('http')[1]).toContain(`POST ${new URL(books.url).pathname}\n`);
    expect(blocksOf('http')[1]).toContain(`\nX-API-Key: ${books.headers['X-API-Key']}\n`);
  });
});
