import { defineOperation, definePlugin, defineView, model } from '@pacioli/core';
import mcpPlugin from '@pacioli/mcp';
import { Type } from 'typebox';
import { ok, poster, startBenchService } from './bench-service.ts';
import { type Figure, inTurns, rateOf } from './measure.ts';

const callers = 16;
const manyCallers = 200;
const seconds = 4;
/** As many tools as a graph with books has. */
const toolCount = 60;

const readOne = defineView({
  name: 'read-one',
  summary: 'Reads a number.',
  role: 'viewer',
  openapi: { id: 'read_one', tag: 'bench' },
  mcp: { hint: 'Reads a number.' },
  input: model('ReadOne', {}),
  output: model('OneRead', { one: Type.Integer() }),
  handle: async () => ({ one: 1 }),
});

const filler = Array.from({ length: toolCount }, (_, index) =>
  defineOperation({
    name: `fill-${index}`,
    summary: 'Fills the list of tools.',
    role: 'member',
    openapi: { id: `fill_${index}`, tag: 'bench' },
    mcp: { hint: 'Use another one.' },
    input: model(`Fill${index}`, { text: Type.String(), amount: Type.Optional(Type.Integer()) }),
    output: model(`Filled${index}`, {}),
    handle: async () => ({}),
  }),
);

const plugin = definePlugin({
  name: 'bench',
  title: 'Bench',
  version: '1.0.0',
  kernel: '^0.1.0',
  domain: 'bench',
  operations: filler,
  views: [readOne],
});

/** A small call and the list of tools over MCP, compared with the same read over REST. */
export async function mcp(): Promise<readonly Figure[]> {
  const bench = await startBenchService([plugin, mcpPlugin]);
  const graph = await bench.user.createGraph('Bench', ['bench']);
  const post = poster(bench.user.headers);
  const rest = `${bench.service.url}/extensions/bench/${graph}/operations/read-one`;
  const url = `${bench.service.url}/v1/graphs/${graph}/mcp`;
  const headers = { accept: 'application/json, text/event-stream' };
  const message = (method: string, params: object): string => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const call = message('tools/call', { name: 'read-one', arguments: {} });
  const list = message('tools/list', {});
  const overRest = () => ok(post(rest, '{}', {}));
  const overMcp = (body: string) => () => ok(post(url, body, headers));
  try {
    const calls = await inTurns(
      3,
      () => rateOf(callers, seconds, overMcp(call)),
      () => rateOf(callers, seconds, overRest),
    );
    const lists = await inTurns(
      3,
      () => rateOf(callers, seconds, overMcp(list)),
      () => rateOf(callers, seconds, overRest),
    );
    const many = await inTurns(
      1,
      () => rateOf(manyCallers, seconds, overMcp(call)),
      () => rateOf(manyCallers, seconds, overRest),
    );
    const unit = 'calls/s';
    return [
      { name: 'mcp tools/call over MCP against REST, 16 callers', unit, kind: 'rate', goal: '≥ 67 %', ...calls },
      {
        name: `mcp tools/list of ${toolCount} tools against a read over REST, 16 callers`,
        unit,
        kind: 'rate',
        goal: '≥ 67 %',
        ...lists,
      },
      { name: 'mcp tools/call over MCP against REST, 200 callers', unit, kind: 'rate', goal: '≥ 67 %', ...many },
    ];
  } finally {
    await bench.close();
  }
}
