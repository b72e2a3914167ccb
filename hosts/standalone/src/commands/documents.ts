import { describeSet } from '@pacioli/core/assembly';
import { Command } from 'commander';
import { loadConfig } from '../load-config.ts';
import { readSettings } from '../settings.ts';

/** Commands that print documents generated from the definitions alone, without a database. */
export function openapiCommand(): Command {
  return new Command('openapi').description('Prints the OpenAPI document of this set of plugins.').action(async () => {
    console.log(JSON.stringify((await describeDeployment()).openapi, null, 2));
  });
}

export function sdlCommand(): Command {
  return new Command('sdl').description('Prints the GraphQL schema of this set of plugins.').action(async () => {
    process.stdout.write((await describeDeployment()).sdl);
  });
}

async function describeDeployment(): Promise<ReturnType<typeof describeSet>> {
  const settings = readSettings(process.env);
  const { plugins, aliases = {} } = await loadConfig(settings.configFile, settings.plugins);
  return describeSet({ plugins, aliases });
}
