import type { Services } from '../container/container.ts';
import type { Command } from '../define/command.ts';
import type { Plugin } from '../define/plugin.ts';
import type { Issue } from '../errors/kinds.ts';
import { invalidInput } from '../errors/service-error.ts';
import { type SchemaValidator, schemaValidator } from '../schema/validate.ts';
import { kernel } from '../services/kernel-tokens.ts';

/** What a host gives to a run of a command. */
export interface CommandRun {
  /** By the names of the definition, as text or as values; options that are not given have their defaults. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
  print(line: string): void;
}

/** A command of a deployment. */
export interface MountedCommand extends Pick<Command, 'name' | 'summary'> {
  /** Returns the exit code. */
  run(given: CommandRun): Promise<number>;
}

/** The commands of the plugins, ready to run. */
export function mountCommands(plugins: readonly Plugin[], services: Services): readonly MountedCommand[] {
  return plugins
    .flatMap(({ commands }) => commands)
    .map((command) => ({
      name: command.name,
      summary: command.summary,
      run: async ({ options, signal, print }) => {
        const ctx = {
          store: services.resolve(kernel.store),
          log: services.resolve(kernel.log),
          signal: signal ?? new AbortController().signal,
          now: () => services.resolve(kernel.clock).now(),
          print,
        };
        const checked = optionsOf(command, { ...options }, services.resolve(schemaValidator));
        return (await command.run({ options: checked, ctx, use: services.useFor(command.services) })) ?? 0;
      },
    }));
}

function optionsOf(command: Command, given: object, validator: SchemaValidator): unknown {
  const checked = validator.check(command.options, given, 'query');
  if (checked.ok) return checked.value;
  throw invalidInput(checked.issues.map((issue) => sentenceOf(command, issue)).join(' '));
}

function sentenceOf({ positional }: Command, { loc, msg }: Issue): string {
  const name = String(loc[1] ?? '');
  return `${positional.includes(name) ? `<${optionWord(name)}>` : `--${optionWord(name)}`}: ${msg}.`;
}

/** The word of an option on the command line. */
export function optionWord(name: string): string {
  return name.replaceAll('_', '-');
}
