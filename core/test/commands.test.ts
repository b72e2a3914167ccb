// Goal: plugins add commands that a host runs. Method: a command that prints its options and reads the database, run
// through the service as a host does; assembly checks the definitions.
import { defineCommand, kernel, model, oneOf, ServiceError, sql } from '@pacioli/core';
import { startTestService, type TestService } from '@pacioli/testing';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plugin, problemsOf } from './set-fixture.ts';

const count = defineCommand({
  name: 'count-graphs',
  summary: 'Counts graphs.',
  options: model('CountGraphsOptions', {
    color: oneOf(['red', 'blue']),
    at_most: Type.Optional(Type.Integer({ minimum: 1, default: 5 })),
    loud: Type.Optional(Type.Boolean()),
  }),
  positional: ['color'],
  services: { graphs: kernel.graphs },
  async run({ options, ctx, use }) {
    const [row] = await ctx.store.transaction('kernel', (tx) =>
      tx.query(sql<{ count: number }>`SELECT count(*)::int AS count FROM kernel_graph`),
    );
    if (options.loud === true) throw new ServiceError('conflict', 'TOO_LOUD', 'This is too loud.');
    ctx.print(`${JSON.stringify(options)} ${row?.count} ${ctx.signal.aborted}`);
    await ctx.store.transaction('kernel', (tx) => use.graphs.find(tx, 'kg0'));
    return options.at_most === 1 ? 3 : undefined;
  },
});

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ plugins: [plugin('counts', { commands: [count] })] });
});
afterAll(() => service.close());

async function run(options: Record<string, unknown>) {
  const lines: string[] = [];
  const command = service.service.commands.find(({ name }) => name === 'count-graphs');
  const code = await command?.run({ options, print: (line) => lines.push(line) });
  return { code, lines };
}

describe('a command of a plugin', () => {
  it('gets its options as values with defaults, and returns an exit code (platform X-3b)', async () => {
    expect(await run({ color: 'red' })).toEqual({ code: 0, lines: ['{"color":"red","at_most":5} 0 false'] });
    expect(await run({ color: 'blue', at_most: '1' })).toEqual({
      code: 3,
      lines: ['{"color":"blue","at_most":1} 0 false'],
    });
  });

  it('does not run with invalid options, which are named as they are written', async () => {
    await expect(run({ color: 'green', at_most: 'few' })).rejects.toThrow(/^<color>: .+ --at-most: .+/);
    await expect(run({})).rejects.toThrow('<color>: Field required');
  });

  it('passes on a refusal', async () => {
    await expect(run({ color: 'red', loud: 'true' })).rejects.toThrow('This is too loud.');
  });
});

describe('the commands of a set', () => {
  const named = (name: string, parts: object = {}) =>
    defineCommand({ name, summary: 'Does something.', run: async () => undefined, ...parts });

  it('have names of their own that are not those of the host', () => {
    const set = [
      plugin('one', { commands: [named('verify'), named('serve')] }),
      plugin('two', { commands: [named('verify'), named('doAll')] }),
    ];
    expect(problemsOf(set, { hostCommands: ['serve', 'work'] })).toEqual([
      'command "doAll" of two is not kebab-case, such as "close-period"',
      'command "verify" is contributed by one and two',
      'command "serve" of one has the name of a command of the host',
    ]);
  });

  it('have options that a command line can express', () => {
    const options = model('Options', {
      asOf: Type.String(),
      help: Type.Optional(Type.Boolean()),
      rows: Type.Array(Type.String()),
      first: Type.Optional(Type.String()),
      second: Type.String(),
    });
    const commands = [named('verify', { options, positional: ['first', 'second', 'help', 'third'] })];
    expect(problemsOf([plugin('one', { commands })])).toEqual([
      'option "asOf" is not snake_case, such as "as_of", of command "verify" of one',
      'option "help" has the name of an option of every command, of command "verify" of one',
      'option "rows" is not a text, number or boolean, of command "verify" of one',
      'optional positional "first" precedes the required "second" of command "verify" of one',
      'positional "help" is a boolean, which has no value to write, of command "verify" of one',
      'positional "third" is not an option of command "verify" of one',
    ]);
  });
});
