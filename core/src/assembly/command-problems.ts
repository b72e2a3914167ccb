import type { Command } from '../define/command.ts';
import type { Plugin } from '../define/plugin.ts';
import { isRequired, propertiesOf, withoutNull } from '../schema/names.ts';
import type { Problem } from './problem.ts';

const optionName = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
const scalarTypes: readonly unknown[] = ['string', 'integer', 'number', 'boolean'];

/** Finds commands that a command line cannot offer (platform X-3b). */
export function wrongCommands(plugins: readonly Plugin[], hostCommands: ReadonlySet<string>): readonly Problem[] {
  return plugins
    .flatMap((plugin) => plugin.commands.map((command) => ({ command, what: `"${command.name}" of ${plugin.name}` })))
    .flatMap(({ command, what }) => [
      ...(hostCommands.has(command.name) ? [`command ${what} has the name of a command of the host`] : []),
      ...wrongOptions(command).map((text) => `${text} of command ${what}`),
      ...wrongPositions(command).map((text) => `${text} of command ${what}`),
    ])
    .map((text) => ({ text }));
}

function wrongOptions({ options }: Command): readonly string[] {
  return propertiesOf(options).flatMap(([name, given]) => {
    const { schema } = withoutNull(given);
    if (!optionName.test(name)) return [`option "${name}" is not snake_case, such as "as_of",`];
    if (name === 'help') return ['option "help" has the name of an option of every command,'];
    return scalarTypes.includes(schema['type']) ? [] : [`option "${name}" is not a text, number or boolean,`];
  });
}

/** An optional argument before a required one could not be left out. */
function wrongPositions({ options, positional }: Command): readonly string[] {
  const known = new Map(propertiesOf(options));
  return positional.flatMap((name, index) => {
    const schema = known.get(name);
    if (schema === undefined) return [`positional "${name}" is not an option`];
    if (schema['type'] === 'boolean') return [`positional "${name}" is a boolean, which has no value to write,`];
    const later = positional.slice(index + 1).find((each) => isRequired(options, each));
    if (isRequired(options, name) || later === undefined) return [];
    return [`optional positional "${name}" precedes the required "${later}"`];
  });
}
