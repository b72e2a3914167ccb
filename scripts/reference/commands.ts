import type { loadProgram } from '../../hosts/standalone/src/program.ts';
import { block, code, type Page, page, prose, section, table } from './markdown.ts';

type Program = Awaited<ReturnType<typeof loadProgram>>;

/** The page of the commands of `pacioli`, with their arguments and options. */
export function commandsPage({ commands }: Program): Page {
  return page('commands', 'Commands', [
    'The command `pacioli`; in a checkout, `npm run --silent pacioli --` and then the words below. Each has `--help`.',
    '',
    ...commands.flatMap((command) => [
      `## ${command.name()}`,
      '',
      ...described(command),
      ...command.commands.flatMap((each) => [`### ${command.name()} ${each.name()}`, '', ...described(each)]),
    ]),
  ]);
}

function described(command: Program): readonly string[] {
  const parents = command.parent === null ? [] : [command.parent.name()];
  const words = [...parents.filter((name) => name !== 'pacioli'), command.name(), command.usage()];
  return [
    prose(command.description()),
    '',
    ...block('text', `pacioli ${words.join(' ')}`),
    ...section(
      '**Arguments**',
      table(
        ['Argument', 'Meaning'],
        command.registeredArguments.map((argument) => [code(argument.name()), prose(argument.description)]),
      ),
    ),
    ...section(
      '**Options**',
      table(
        ['Option', 'Meaning', 'Default'],
        command.options.map(({ flags, description, defaultValue }) => [
          code(flags),
          prose(description),
          typeof defaultValue === 'string' || typeof defaultValue === 'number' ? code(`${defaultValue}`) : '',
        ]),
      ),
    ),
  ];
}
