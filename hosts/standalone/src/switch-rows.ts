import type { Plugin } from '@pacioli/core';
import { hostSwitches } from './host-switches.ts';
import { kernelSwitches, takenBy } from './kernel-switches.ts';
import { type PluginSwitch, pluginSwitches, settingsIn } from './plugin-switches.ts';

/** An environment switch as documents show it. */
export interface SwitchRow {
  readonly name: string;
  readonly standard: string;
  readonly meaning: string;
  /** The accepted values or format. */
  readonly takes: string;
  /** The same setting in the options of `assemble`, such as `settings.auth.passkeys`; absent for those of the host. */
  readonly option?: string;
}

/** Every environment switch by name: those of this host, of the kernel, and of these plugins. */
export function switchRows(plugins: readonly Plugin[]): readonly SwitchRow[] {
  const host = Object.entries(hostSwitches).map(([name, each]) => ({ name, ...each }));
  const kernel = [...kernelSwitches].map(([name, each]) => ({
    name,
    standard: shown(each.standard),
    meaning: each.words.meaning,
    takes: takenBy(each),
    option: `settings.${each.name === undefined ? each.group : `${each.group}.${each.name}`}`,
  }));
  const ofPlugins = Object.entries(pluginSwitches).flatMap(([name, { plugin, setting, takes }]) => {
    const found = plugins.find((each) => each.name === plugin);
    if (found === undefined) return [];
    const described = settingsIn(found.config?.schema)[setting];
    if (described === undefined) throw new Error(`The plugin ${plugin} has no setting ${setting}.`);
    return { name, standard: String(described.default), meaning: described.description, takes: wordsOf(takes) };
  });
  return [...host, ...kernel, ...ofPlugins].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function wordsOf(takes: PluginSwitch['takes']): string {
  if (takes === undefined) return 'true or false';
  if (takes === 'text') return 'text';
  if (takes === 'texts') return 'texts separated by commas';
  return 'least' in takes ? `a whole number from ${takes.least} to ${takes.most}` : takes.join(', ');
}

function shown(standard: unknown): string {
  if (Array.isArray(standard)) return standard.join(',');
  return typeof standard === 'number' ? String(Number(standard.toPrecision(6))) : String(standard);
}
