import {
  defaultSettings,
  type GivenSettings,
  isWebLink,
  type KernelSettings,
  type SettingMeaning,
  settingMeanings,
  settingsOf,
} from '@pacioli/core/settings';
import { StartUpError } from './start-up-error.ts';
import { truth, truthOf } from './switch-values.ts';

interface KernelSwitch {
  /** The group, or the switch itself if it belongs to none. */
  readonly group: string;
  readonly name: string | undefined;
  readonly standard: unknown;
  readonly words: SettingMeaning;
}

/** The accepted values or format of a switch, with the unit of a number. */
export function takenBy({ standard, words }: KernelSwitch): string {
  if (typeof standard === 'boolean') return 'true or false';
  if ('unit' in words) return `a number: ${words.unit}`;
  if (typeof words.values === 'string') return words.values;
  return `${words.values.join(', ')}${words.values.includes('off') ? ' (true and false stand for on and off)' : ''}`;
}

/** Every kernel switch by its environment variable. */
export const kernelSwitches: ReadonlyMap<string, KernelSwitch> = new Map(
  Object.entries(defaultSettings).flatMap(([group, standard]): [string, KernelSwitch][] => {
    const words = settingMeanings[group as keyof KernelSettings]; // Both have the keys of the settings.
    if (typeof standard !== 'object')
      return [[`PACIOLI_${upperSnake(group)}`, { group, name: undefined, standard, words: words as SettingMeaning }]];
    const each = words as Readonly<Record<string, SettingMeaning>>;
    return Object.entries(standard).map(([name, value]) => {
      const switchWords = each[name];
      if (switchWords === undefined) throw new Error(`The setting ${group}.${name} has no meaning.`);
      return [`PACIOLI_${upperSnake(group)}_${upperSnake(name)}`, { group, name, standard: value, words: switchWords }];
    });
  }),
);

/** The kernel switches set in the environment; each value has the type of its default. */
export function readKernelSwitches(environment: Readonly<Record<string, string | undefined>>): GivenSettings {
  const given: Record<string, unknown> = {};
  for (const [variable, { group, name, standard, words }] of kernelSwitches) {
    const text = environment[variable];
    if (text === undefined) continue;
    const value = switchValue(variable, text, { standard, words });
    given[group] = name === undefined ? value : { ...(given[group] as object | undefined), [name]: value };
  }
  const settings = given as GivenSettings; // Built from the keys and types of the defaults.
  try {
    settingsOf(settings);
  } catch (error) {
    throw new StartUpError(error instanceof Error ? error.message : String(error));
  }
  return settings;
}

/** Defaults derived from the public URL: links in mail, and the relying party of passkeys. */
export function withAddress(given: GivenSettings, port: number): GivenSettings {
  const publicUrl = (given.publicUrl ?? `http://localhost:${port}`).replace(/\/+$/, '');
  if (!isWebLink(publicUrl)) {
    throw new StartUpError(`PACIOLI_PUBLIC_URL must be a URL such as https://books.example.org, not "${publicUrl}".`);
  }
  const { hostname: rpId, origin } = new URL(publicUrl);
  return { ...given, publicUrl, webauthn: { rpId, origins: [origin], ...given.webauthn } };
}

function switchValue(
  variable: string,
  text: string,
  { standard, words }: Pick<KernelSwitch, 'standard' | 'words'>,
): unknown {
  if (typeof standard === 'boolean') return truth(variable, text);
  if (typeof standard === 'number') {
    const number = Number(text);
    if (text.trim() !== '' && Number.isFinite(number) && number >= -1) return number;
    throw new StartUpError(`${variable} must be a number from -1 up, not "${text}".`);
  }
  if (Array.isArray(standard)) return text.split(',').flatMap((word) => word.trim() || []);
  if (!('values' in words) || typeof words.values === 'string' || words.values.includes(text)) return text;
  // A switch with the values on and off accepts every boolean word.
  const isOn = words.values.includes('on') && words.values.includes('off') ? truthOf(text) : undefined;
  if (isOn !== undefined) return isOn ? 'on' : 'off';
  throw new StartUpError(`${variable} must be one of ${words.values.join(', ')}, not "${text}".`);
}

function upperSnake(name: string): string {
  return name.replaceAll(/([A-Z])/g, '_$1').toUpperCase();
}
