import { pathToFileURL } from 'node:url';
import type { DeploymentConfig } from './config.ts';
import type { PluginSettings } from './plugin-switches.ts';
import { aliases, plugins } from './plugins.ts';
import { StartUpError } from './start-up-error.ts';

/** The deployment that a file describes, or without a file the standard one, with the switches of its plugins. */
export async function loadConfig(file: string | undefined, settings: PluginSettings = {}): Promise<DeploymentConfig> {
  const config = file === undefined ? { plugins, aliases } : await configIn(file);
  const absent = Object.keys(settings).find((name) => config.plugins.every((plugin) => plugin.name !== name));
  if (absent !== undefined) {
    throw new StartUpError(`A switch configures the plugin ${absent}, which ${file} does not list. Remove the switch.`);
  }
  return { ...config, plugins: config.plugins.map((plugin) => plugin.with(settings[plugin.name] ?? {})) };
}

async function configIn(file: string): Promise<DeploymentConfig> {
  if (file.endsWith('.ts')) {
    const { loadTypeScript } = await import('./generate/load-typescript.ts');
    loadTypeScript();
  }
  const module = (await import(pathToFileURL(file).href)) as { readonly default?: unknown };
  if (isConfig(module.default)) return { aliases, ...module.default };
  throw new StartUpError(`${file} must have "export default defineConfig({ plugins: [ … ] })" of @pacioli/standalone.`);
}

/** The rest was checked by the compiler, and is by the assembly. */
function isConfig(value: unknown): value is DeploymentConfig {
  return (
    typeof value === 'object' &&
    value !== null &&
    'plugins' in value &&
    Array.isArray(value.plugins) &&
    value.plugins.every((plugin) => plugin?.kind === 'plugin')
  );
}
