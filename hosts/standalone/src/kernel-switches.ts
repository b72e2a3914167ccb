import { defaultSettings, type GivenSettings, isWebLink, settingsOf } from '@pacioli/core/assembly';
import { StartUpError } from './start-up-error.ts';
import { truth, truthOf } from './switch-values.ts';

interface KernelSwitch {
  /** The group, or the switch itself where it stands alone. */
  readonly group: string;
  readonly name: string | undefined;
  readonly standard: unknown;
}

interface Words {
  readonly allowed: readonly string[];
  /** The words that a truth value stands for, where the switch can be on and off. */
  readonly truths?: { readonly yes: string; readonly no: string };
}

/** Values that a switch of words may have; other words are free. */
const words: Readonly<Record<string, Words>> = {
  PACIOLI_EMAIL_VERIFICATION: { allowed: ['auto', 'on', 'off'], truths: { yes: 'on', no: 'off' } },
  PACIOLI_RATE_LIMITS_PROFILE: { allowed: ['standard', 'test'] },
};

/** Every switch of the kernel by the name that the environment has for it. */
export const kernelSwitches: ReadonlyMap<string, KernelSwitch> = new Map(
  Object.entries(defaultSettings).flatMap(([group, standard]): [string, KernelSwitch][] =>
    typeof standard === 'object'
      ? Object.entries(standard).map(([name, value]) => [
          `PACIOLI_${upperSnake(group)}_${upperSnake(name)}`,
          { group, name, standard: value },
        ])
      : [[`PACIOLI_${upperSnake(group)}`, { group, name: undefined, standard }]],
  ),
);

/** The kernel's switches that the environment sets; each value has the type of its default. */
export function readKernelSwitches(environment: Readonly<Record<string, string | undefined>>): GivenSettings {
  const given: Record<string, unknown> = {};
  for (const [variable, { group, name, standard }] of kernelSwitches) {
    const text = environment[variable];
    if (text === undefined) continue;
    const value = switchValue(variable, text, standard);
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

/** What follows from where people reach this host, unless it is said: links in mails, and whose passkeys are taken. */
export function withAddress(given: GivenSettings, port: number): GivenSettings {
  const publicUrl = (given.publicUrl ?? `http://localhost:${port}`).replace(/\/+$/, '');
  if (!isWebLink(publicUrl)) {
    throw new StartUpError(`PACIOLI_PUBLIC_URL must be a URL such as https://books.example.org, not "${publicUrl}".`);
  }
  const { hostname: rpId, origin } = new URL(publicUrl);
  return { ...given, publicUrl, webauthn: { rpId, origins: [origin], ...given.webauthn } };
}

function switchValue(variable: string, text: string, standard: unknown): unknown {
  if (typeof standard === 'boolean') return truth(variable, text);
  if (typeof standard === 'number') {
    const number = Number(text);
    if (text.trim() !== '' && Number.isFinite(number) && number >= -1) return number;
    throw new StartUpError(`${variable} must be a number from -1 up, not "${text}".`);
  }
  if (Array.isArray(standard)) return text.split(',').flatMap((word) => word.trim() || []);
  const known = words[variable];
  if (known === undefined || known.allowed.includes(text)) return text;
  const { allowed, truths } = known;
  const isOn = truths === undefined ? undefined : truthOf(text);
  if (truths !== undefined && isOn !== undefined) return isOn ? truths.yes : truths.no;
  throw new StartUpError(`${variable} must be one of ${allowed.join(', ')}, not "${text}".`);
}

function upperSnake(name: string): string {
  return name.replaceAll(/([A-Z])/g, '_$1').toUpperCase();
}
