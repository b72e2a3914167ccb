import { settingsOf } from '@pacioli/core/settings';
import { describe, expect, it } from 'vitest';
import { hostSwitches } from '../src/host-switches.ts';
import { kernelSwitches } from '../src/kernel-switches.ts';
import { loadConfig } from '../src/load-config.ts';
import { type PluginSwitch, pluginSwitches, settingsIn } from '../src/plugin-switches.ts';
import { plugins } from '../src/plugins.ts';
import { readSettings } from '../src/settings.ts';

const truths = { on: ['true', 'TRUE', 'on', '1', 'yes', ' true '], off: ['false', 'False', 'off', '0', 'no'] };

describe('boolean switches', () => {
  const words = ['auto', 'on', 'off'];
  const isTruth = (standard: unknown): boolean => typeof standard === 'boolean' || words.includes(String(standard));
  const switches = [
    ...[...kernelSwitches].filter(([, { standard }]) => isTruth(standard)).map(([name]) => name),
    ...Object.entries(hostSwitches).flatMap(([name, { standard }]) => (/^(true|false)$/.test(standard) ? [name] : [])),
    ...Object.keys(pluginSwitches).filter((name) => pluginSwitches[name]?.takes === undefined),
    'DEMO',
  ];

  /** The settings from the environment, including defaults. */
  const decidedBy = (name: string, value: string): unknown => {
    const settings = readSettings({ [name]: value });
    return { ...settings, kernel: settingsOf(settings.kernel) };
  };

  it('include e-mail verification', () => {
    expect(switches).toContain('PACIOLI_EMAIL_VERIFICATION');
    expect(readSettings({ PACIOLI_EMAIL_VERIFICATION: 'true' }).kernel.email?.verification).toBe('on');
    expect(readSettings({ PACIOLI_EMAIL_VERIFICATION: 'false' }).kernel.email?.verification).toBe('off');
    expect(() => readSettings({ PACIOLI_EMAIL_VERIFICATION: 'maybe' })).toThrow('must be one of auto, on, off');
  });

  it.each(switches)('accept every word for on and off: %s (platform section 20)', (name) => {
    const [on, off] = [decidedBy(name, 'on'), decidedBy(name, 'off')];
    expect(on).not.toEqual(off);
    for (const word of truths.on) expect(decidedBy(name, word)).toEqual(on);
    for (const word of truths.off) expect(decidedBy(name, word)).toEqual(off);
    expect(() => readSettings({ [name]: 'maybe' })).toThrow(name);
  });
});

/** The schema of a setting whose switch takes these values. */
function shapeOf(takes: PluginSwitch['takes']): object {
  if (takes === undefined) return { type: 'boolean' };
  if (takes === 'text') return { type: 'string' };
  if (takes === 'texts') return { type: 'array', items: { type: 'string' } };
  if ('least' in takes) return { type: 'integer', minimum: takes.least, maximum: takes.most };
  return { type: 'string', enum: takes };
}

describe('switches of plugins', () => {
  it('are all settings of all plugins, each with a default and a meaning (platform section 20)', () => {
    const settings = plugins.flatMap(({ name, config }) =>
      Object.entries(config === undefined ? {} : settingsIn(config.schema)).map(([setting, schema]) => ({
        of: { plugin: name, setting },
        schema,
      })),
    );
    const switches = Object.values(pluginSwitches);
    expect(settings.map(({ of }) => of)).toEqual(
      expect.arrayContaining(switches.map(({ plugin, setting }) => ({ plugin, setting }))),
    );
    expect(settings).toHaveLength(switches.length);
    for (const { of, schema } of settings) {
      const takes = switches.find(({ plugin, setting }) => plugin === of.plugin && setting === of.setting)?.takes;
      expect(schema).toMatchObject({ ...shapeOf(takes), default: expect.anything(), description: expect.any(String) });
    }
  });

  it('take words and texts, and name the words that they take', () => {
    const name = 'PACIOLI_REPORTING_BUNDLE_VALIDATION';
    expect(readSettings({ [name]: 'strict' }).plugins).toEqual({ reporting: { bundleValidation: 'strict' } });
    expect(() => readSettings({ [name]: 'always' })).toThrow(`${name} must be off, warn, strict, not "always".`);
  });

  it('take lists of texts, separated by commas', () => {
    const name = 'PACIOLI_MCP_TRUSTED_CLIENT_HOSTS';
    expect(readSettings({ [name]: 'claude.ai, desk.example.org' }).plugins).toEqual({
      mcp: { trustedClientHosts: ['claude.ai', 'desk.example.org'] },
    });
  });

  it('take whole numbers within the range of the setting', () => {
    const name = 'PACIOLI_REPORTING_MAX_SHARED_FACTS';
    expect(readSettings({ [name]: '500' }).plugins).toEqual({ reporting: { maxSharedFacts: 500 } });
    expect(() => readSettings({ [name]: '0' })).toThrow(`${name} must be a whole number from 1 to 200000, not "0".`);
  });

  it('configure the plugin that they name', async () => {
    const { plugins: given } = await loadConfig(undefined, readSettings({ PACIOLI_BILLING_ENABLED: 'on' }).plugins);
    const configOf = (name: string) => given.find((plugin) => plugin.name === name)?.config?.value;
    expect([configOf('billing'), configOf('taxonomy')]).toEqual([{ enabled: true }, {}]);
  });
});
