import { StartUpError } from './start-up-error.ts';
import { commaSeparated, truth, wholeNumber } from './switch-values.ts';

/** The setting of a plugin that a switch gives. */
export interface PluginSwitch {
  readonly plugin: string;
  readonly setting: string;
  /**
   * One of several words, any text or texts separated by commas, which the plugin checks, or a range of whole numbers; a
   * boolean if absent.
   */
  readonly takes?: readonly string[] | 'text' | 'texts' | NumberRange;
}

interface NumberRange {
  readonly least: number;
  readonly most: number;
}

/** Configuration by plugin and setting; what is absent keeps the default of the plugin. */
export type PluginSettings = Readonly<Record<string, Readonly<Record<string, SwitchValue>>>>;

type SwitchValue = boolean | number | string | readonly string[];

/**
 * The switches that configure plugins. Only the names and the kinds are here: the environment is read before the plugins
 * are loaded, and their schemas have the defaults and the meanings.
 */
export const pluginSwitches: Readonly<Record<string, PluginSwitch>> = {
  PACIOLI_BACKUP_CREATION: { plugin: 'graph', setting: 'backupCreation' },
  PACIOLI_BILLING_ENABLED: { plugin: 'billing', setting: 'enabled' },
  PACIOLI_INVESTOR_LENIENT_SHARES: { plugin: 'investor', setting: 'lenientShares' },
  PACIOLI_INVESTOR_TERMS_VALIDATION: {
    plugin: 'investor',
    setting: 'termsValidation',
    takes: ['off', 'known-keys', 'strict'],
  },
  PACIOLI_MEMORY_ENABLED: { plugin: 'memory', setting: 'enabled' },
  PACIOLI_MEMORY_RANKING: { plugin: 'memory', setting: 'ranking', takes: ['similarity', 'blended'] },
  PACIOLI_MCP_ALLOWED_ORIGINS: { plugin: 'mcp', setting: 'allowedOrigins', takes: 'texts' },
  PACIOLI_MCP_OAUTH: { plugin: 'mcp', setting: 'oauth' },
  PACIOLI_MCP_REFRESH_GRACE: { plugin: 'mcp', setting: 'refreshGrace' },
  PACIOLI_MCP_TRUSTED_CLIENT_HOSTS: { plugin: 'mcp', setting: 'trustedClientHosts', takes: 'texts' },
  PACIOLI_NIGHTLY_BACKUPS: { plugin: 'graph', setting: 'nightlyBackups' },
  PACIOLI_OPERATORS_AUTHOR_MAX_CREDITS: {
    plugin: 'operators',
    setting: 'authorMaxCredits',
    takes: { least: 1, most: 1_000_000 },
  },
  PACIOLI_OPERATORS_ENABLED: { plugin: 'operators', setting: 'enabled' },
  PACIOLI_OPERATORS_INLINE_GRACE_MS: {
    plugin: 'operators',
    setting: 'inlineGraceMs',
    takes: { least: 0, most: 50_000 },
  },
  PACIOLI_REPORTING_BUNDLE_VALIDATION: {
    plugin: 'reporting',
    setting: 'bundleValidation',
    takes: ['off', 'warn', 'strict'],
  },
  PACIOLI_REPORTING_FILE_GATE: { plugin: 'reporting', setting: 'fileGate' },
  PACIOLI_REPORTING_MAX_SHARED_CONCEPTS: {
    plugin: 'reporting',
    setting: 'maxSharedConcepts',
    takes: { least: 1, most: 20_000 },
  },
  PACIOLI_REPORTING_MAX_FACTS_SHARED_AT_ONCE: {
    plugin: 'reporting',
    setting: 'maxFactsSharedAtOnce',
    takes: { least: 0, most: 1_000_000 },
  },
  PACIOLI_REPORTING_MAX_SHARED_FACTS: {
    plugin: 'reporting',
    setting: 'maxSharedFacts',
    takes: { least: 1, most: 200_000 },
  },
  PACIOLI_REPORTING_MAX_SHARED_FILE_BYTES: {
    plugin: 'reporting',
    setting: 'maxSharedFileBytes',
    takes: { least: 1, most: 64 * 1024 * 1024 },
  },
  PACIOLI_REPORTING_VOCABULARY_BASE: { plugin: 'reporting', setting: 'vocabularyBase', takes: 'text' },
  PACIOLI_SEARCH_ENABLED: { plugin: 'search', setting: 'enabled' },
  PACIOLI_SUBGRAPH_CREATION: { plugin: 'graph', setting: 'subgraphCreation' },
  PACIOLI_TAXONOMY_AUTHORING_ENABLED: { plugin: 'taxonomy', setting: 'authoringEnabled' },
};

/** The plugin switches set in the environment. */
export function readPluginSwitches(environment: Readonly<Record<string, string | undefined>>): PluginSettings {
  const given: Record<string, Record<string, SwitchValue>> = {};
  for (const [variable, { plugin, setting, takes }] of Object.entries(pluginSwitches)) {
    const text = environment[variable];
    if (text !== undefined) given[plugin] = { ...given[plugin], [setting]: switchValue(variable, text, takes) };
  }
  return given;
}

function switchValue(variable: string, text: string, takes: PluginSwitch['takes']): SwitchValue {
  if (takes === undefined) return truth(variable, text);
  if (takes === 'text') return text;
  if (takes === 'texts') return commaSeparated(text);
  if ('least' in takes) return wholeNumber(variable, text, takes.least, takes.most);
  if (takes.includes(text)) return text;
  throw new StartUpError(`${variable} must be ${takes.join(', ')}, not "${text}".`);
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
