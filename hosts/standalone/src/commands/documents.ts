import { describeSet } from '@pacioli/core/assembly';
import { Command } from 'commander';
import { aliases, plugins } from '../plugins.ts';

/** Commands that print documents generated from the definitions alone, without a database. */
export function openapiCommand(): Command {
  return new Command('openapi').description('Prints the OpenAPI document of this set of plugins.').action(() => {
    console.log(JSON.stringify(describeSet({ plugins, aliases }).openapi, null, 2));
  });
}

export function sdlCommand(): Command {
  return new Command('sdl').description('Prints the GraphQL schema of this set of plugins.').action(() => {
    process.stdout.write(describeSet({ plugins, aliases }).sdl);
  });
}
