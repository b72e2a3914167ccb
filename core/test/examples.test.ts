// Goal: the examples of core/README.md work. Method: they are one plugin, which a real service runs; every group of
// exports has one.
import { readFileSync } from 'node:fs';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import reminders from './examples/plugin.ts';
import { outlineOf } from './examples/texts.ts';

const maxWaitMs = 300_000;

let service: TestService;
let user: TestClient;
let graphId: string;

beforeAll(async () => {
  service = await startTestService({ plugins: [reminders] });
  user = await service.newUser('Ann');
  graphId = await user.createGraph('Mill', ['reminders']);
});
afterAll(() => service.close());

async function bodies(): Promise<readonly string[]> {
  const { body } = await user.graphql(graphId, '{ reminders { body dueDate } }');
  return body.data.reminders.map((each: { body: string }) => each.body);
}

const add = (body: object) => user.post(`/extensions/reminders/${graphId}/operations/add-reminder`, body);

describe('core/test/examples', () => {
  it('give a new graph its first reminder, add one, and refuse a date in the past', async () => {
    const first = 'Set up the books of Mill (My Organization).';
    await vi.waitFor(async () => expect(await bodies()).toEqual([first]), maxWaitMs);
    const added = await add({ body: 'File the return', due_date: '2999-01-31' });
    expect([added.status, added.body.result.id]).toEqual([200, expect.stringMatching(/^rem_/)]);
    expect(await bodies()).toEqual(['File the return', first]);
    const late = await add({ body: 'File the return', due_date: '2001-01-31' });
    expect([late.status, late.body.code]).toEqual([409, 'ALREADY_OVER']);
  });

  it('count the reminders of the same date', async () => {
    await add({ body: 'Pay the tax', due_date: '2999-01-31' });
    const { body } = await user.graphql(graphId, '{ reminders { body overlaps } }');
    const overlaps = body.data.reminders.map((each: { body: string; overlaps: number }) => [each.body, each.overlaps]);
    expect(Object.fromEntries(overlaps)).toMatchObject({ 'File the return': 1, 'Pay the tax': 1 });
  });

  it('print the reminders that are due, from the command line', async () => {
    const command = service.service.commands.find(({ name }) => name === 'reminders-due');
    const lines: string[] = [];
    const run = (by: string) => command?.run({ options: { graph: graphId, by }, print: (line) => lines.push(line) });
    expect([await run('2998-12-31'), await run('2999-01-31')]).toEqual([0, 1]);
    expect(lines.toSorted()).toEqual(['2999-01-31 File the return', '2999-01-31 Pay the tax']);
    const unknown = command?.run({ options: { graph: 'kg0' }, print: () => undefined });
    await expect(unknown).rejects.toThrow("There is no graph 'kg0'.");
  });

  it('price a call of a model', async () => {
    // A vendor's dollar costs 1,000 credits: 0.2 cents for the input and 0.1 for the output.
    const { body } = await user.graphql(graphId, '{ draftPrice }');
    expect(body.data.draftPrice).toBe(300);
  });

  it('list the tools for reminders', async () => {
    const { status, body } = await user.get(`/v1/graphs/${graphId}/reminders/tools`);
    expect([status, body]).toEqual([200, ['add-reminder']]);
  });

  it('outline a note without the lines of its code', async () => {
    expect(await outlineOf('# Taxes\n```\n# none\n```\nBy month\n---')).toEqual(['1 Taxes', '2 By month']);
  });

  it('clear the reminders of a graph', async () => {
    expect((await user.request('DELETE', `/v1/graphs/${graphId}/reminders`)).status).toBe(204);
    expect(await bodies()).toEqual([]);
  });
});

describe('core/README.md', () => {
  it('has an example of each group of exports', () => {
    const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
    const groups = [...read('src/index.ts').matchAll(/^\/\/ ([A-Z][a-z ,]+):/gm)].map(([, name]) => name);
    const sections = [
      ...read('README.md').matchAll(/^### (.+)\n(?:(?!^#)[^\n]*\n)*?```ts\n\/\/ core\/test\/examples\//gm),
    ];
    expect(groups).toHaveLength(13);
    expect(sections.map(([, name]) => name)).toEqual(groups);
  });
});
