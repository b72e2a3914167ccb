import { defineCommand, definePlugin, model, oneOf } from '@pacioli/core';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { hostCommands } from './host-commands.ts';
import { pluginCommands } from './plugin-commands.ts';
import { loadProgram } from './program.ts';

const report = defineCommand({
  name: 'report-claims',
  summary: 'Reports claims.',
  help: 'It takes a while.',
  options: model('ReportClaimsOptions', {
    graph: Type.String({ description: 'id of the graph' }),
    as_of: Type.Optional(Type.String({ description: 'the last date' })),
    at_most: Type.Optional(Type.Integer({ default: 20 })),
    format: oneOf(['text', 'json']),
    detailed: Type.Optional(Type.Boolean()),
  }),
  positional: ['graph'],
  run: async () => undefined,
});
const claims = definePlugin({ name: 'claims', title: 'Claims', version: '1.0.0', kernel: '*', commands: [report] });

/** Parses words as the program does, and returns what would run. */
async function runOf(...words: string[]): Promise<unknown> {
  let given: unknown;
  const [command] = pluginCommands([claims], async (name, options) => {
    given = { name, options };
    return 0;
  });
  const errors: string[] = [];
  command?.exitOverride().configureOutput({ writeErr: (text) => errors.push(text) });
  await command?.parseAsync(words, { from: 'user' }).catch(() => undefined);
  return given ?? errors.join('');
}

describe('the commands of plugins in the program', () => {
  it('take their options by the names of the definition (platform X-3b)', async () => {
    expect(await runOf('kg1', '--format', 'json', '--as-of', '2026-03-31', '--detailed')).toEqual({
      name: 'report-claims',
      options: { graph: 'kg1', as_of: '2026-03-31', at_most: 20, format: 'json', detailed: true },
    });
    expect(await runOf('kg1', '--format', 'text', '--at-most', '3')).toEqual({
      name: 'report-claims',
      options: { graph: 'kg1', at_most: '3', format: 'text' },
    });
  });

  it('refuse missing and unknown options', async () => {
    expect(await runOf('kg1')).toContain("required option '--format <text>' not specified");
    expect(await runOf('--format', 'json')).toContain("missing required argument 'graph'");
    expect(await runOf('kg1', '--format', 'xml')).toContain('Allowed choices are text, json');
    expect(await runOf('kg1', '--format', 'json', '--fast')).toContain("unknown option '--fast'");
  });

  it('have a help with their options', () => {
    const [command] = pluginCommands([claims]);
    expect(command?.helpInformation().replaceAll(/ +/g, ' ')).toBe(`Usage: report-claims [options] <graph>

Reports claims.

Arguments:
 graph id of the graph

Options:
 --as-of <text> the last date
 --at-most <number> (default: 20)
 --format <text> (choices: "text", "json")
 --detailed
 -h, --help display help for command
`);
  });

  it('are listed after those of the host', async () => {
    const names = (await loadProgram()).commands.map((command) => command.name());
    const ofPlugins = [
      'export',
      'import',
      'restore',
      'ledger-verify',
      'report',
      'archive-positions',
      'holdings',
      'import-portfolio',
      'deactivate-oauth-client',
    ];
    expect(names).toEqual([...hostCommands, ...ofPlugins]);
    expect((await loadProgram('ledger-verify')).commands.map((command) => command.name())).toEqual(['ledger-verify']);
  });
});
