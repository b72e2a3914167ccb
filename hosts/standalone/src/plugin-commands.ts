import type { Command as Definition, Plugin } from '@pacioli/core';
import { optionWord } from '@pacioli/core/assembly';
import { Argument, Command, Option } from 'commander';
import { openDeployment } from './deployment.ts';
import { createLog } from './log.ts';
import { readSettings } from './settings.ts';

type Given = Readonly<Record<string, unknown>>;

/** Runs a command with the given options and returns its exit code. */
type Run = (name: string, options: Given) => Promise<number>;

interface OptionSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
}

/** The commands that plugins add to the program (platform X-3b). */
export function pluginCommands(from: readonly Plugin[], run: Run = runInDeployment): readonly Command[] {
  return from.flatMap(({ commands }) => commands).map((definition) => commandOf(definition, run));
}

function commandOf(definition: Definition, run: Run): Command {
  const { name, summary, help, options, positional } = definition;
  const properties = options.properties as Readonly<Record<string, OptionSchema>>; // TypeBox gives them no type.
  const required = new Set<string>((options as { readonly required?: readonly string[] }).required);
  const command = new Command(name).description(summary);
  for (const each of positional) command.addArgument(argumentOf(each, properties[each] ?? {}, required.has(each)));
  for (const [each, schema] of Object.entries(properties))
    if (!positional.includes(each)) command.addOption(optionOf(each, schema, required.has(each)));
  if (help !== undefined) command.addHelpText('after', `\n${help}`);
  return command.action(async () => {
    process.exitCode = await run(name, givenBy(command, definition));
  });
}

function argumentOf(name: string, { description, enum: values }: OptionSchema, isRequired: boolean): Argument {
  const word = optionWord(name);
  const argument = new Argument(isRequired ? `<${word}>` : `[${word}]`, description);
  return values === undefined ? argument : argument.choices(values.map(String));
}

function optionOf(name: string, schema: OptionSchema, isRequired: boolean): Option {
  const isFlag = schema.type === 'boolean';
  const flag = `--${optionWord(name)}`;
  const option = new Option(isFlag ? flag : `${flag} <${typeWord(schema)}>`, schema.description);
  if (schema.enum !== undefined) option.choices(schema.enum.filter((value) => value !== null).map(String));
  if (isRequired && !isFlag) option.makeOptionMandatory();
  return schema.default === undefined ? option : option.default(schema.default);
}

function typeWord({ type }: OptionSchema): string {
  return [type].flat().some((each) => each === 'integer' || each === 'number') ? 'number' : 'text';
}

/** The options that the command line has, by their names in the definition. */
function givenBy(command: Command, { options, positional }: Definition): Given {
  const values = command.opts<Given>();
  const entries = Object.keys(options.properties).map((name) => {
    const place = positional.indexOf(name);
    const value: unknown =
      place >= 0 ? command.args[place] : values[new Option(`--${optionWord(name)}`).attributeName()];
    return [name, value] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Runs a command on the database of the settings, which must have the tables of this version. */
async function runInDeployment(name: string, options: Given): Promise<number> {
  const settings = readSettings(process.env);
  const deployment = await openDeployment(settings, createLog(settings.switches.logLevel), { untouched: true });
  const stop = new AbortController();
  const abort = () => stop.abort();
  process.once('SIGINT', abort).once('SIGTERM', abort);
  try {
    const command = deployment.service.commands.find((each) => each.name === name);
    if (command === undefined) throw new Error(`No enabled plugin has the command ${name}.`);
    return await command.run({ options, signal: stop.signal, print: console.log });
  } finally {
    process.removeListener('SIGINT', abort).removeListener('SIGTERM', abort);
    await deployment.close();
  }
}
