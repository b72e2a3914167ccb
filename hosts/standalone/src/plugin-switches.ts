import { truth } from './switch-values.ts';

/** The setting of a plugin that a switch gives. */
export interface PluginSwitch {
  readonly plugin: string;
  readonly setting: string;
}

/** Configuration by plugin and setting; what is absent keeps the default of the plugin. */
export type PluginSettings = Readonly<Record<string, Readonly<Record<string, boolean>>>>;

/**
 * The switches that configure plugins, all of them boolean. Only the names are here: the environment is read before the
 * plugins are loaded, and their schemas have the defaults and the meanings.
 */
export const pluginSwitches: Readonly<Record<string, PluginSwitch>> = {
  PACIOLI_BACKUP_CREATION: { plugin: 'graph', setting: 'backupCreation' },
  PACIOLI_BILLING_ENABLED: { plugin: 'billing', setting: 'enabled' },
  PACIOLI_NIGHTLY_BACKUPS: { plugin: 'graph', setting: 'nightlyBackups' },
  PACIOLI_REPORTING_FILE_GATE: { plugin: 'reporting', setting: 'fileGate' },
  PACIOLI_SUBGRAPH_CREATION: { plugin: 'graph', setting: 'subgraphCreation' },
  PACIOLI_TAXONOMY_AUTHORING_ENABLED: { plugin: 'taxonomy', setting: 'authoringEnabled' },
};

/** The plugin switches set in the environment. */
export function readPluginSwitches(environment: Readonly<Record<string, string | undefined>>): PluginSettings {
  const given: Record<string, Record<string, boolean>> = {};
  for (const [variable, { plugin, setting }] of Object.entries(pluginSwitches)) {
    const text = environment[variable];
    if (text !== undefined) given[plugin] = { ...given[plugin], [setting]: truth(variable, text) };
  }
  return given;
}

/** The settings in the schema of a plugin's configuration, by name. */
export function settingsIn(schema: object | undefined): Readonly<Record<string, SettingSchema>> {
  const properties = schema === undefined || !('properties' in schema) ? {} : schema.properties;
  return properties as Readonly<Record<string, SettingSchema>>; // A test checks those of all plugins.
}

interface SettingSchema {
  readonly default: unknown;
  readonly description: string;
}
