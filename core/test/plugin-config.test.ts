import { createToken, defineConfig, definePlugin, model, type TypeOf } from '@pacioli/core';
import { startTestService } from '@pacioli/testing';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';

const settings = model(
  'ToastSettings',
  { slices: Type.Integer({ default: 2, minimum: 1, description: 'Slices of each toast.' }) },
  { closed: true },
);
const config = defineConfig(createToken<TypeOf<typeof settings>>('toast.config'), settings);
const toast = definePlugin({ name: 'toast', title: 'Toast', version: '0.1.0', kernel: '^0.1.0', config });

describe('configuration of a plugin', () => {
  it('has the values of the host over the defaults of the schema (platform X-11)', async () => {
    for (const [plugin, slices] of [
      [toast, 2],
      [toast.with({ slices: 3 }), 3],
    ] as const) {
      const { service, close } = await startTestService({ plugins: [plugin], worker: false });
      expect(service.services.resolve(config.token)).toEqual({ slices });
      await close();
    }
  });

  it.each([
    [{ slices: 0 }, 'slices'],
    [{ jam: true }, 'jam'],
  ])('stops the start if it is %o, and names the plugin and the setting (platform X-11)', async (value, setting) => {
    const start = startTestService({ plugins: [toast.with(value)], worker: false });
    await expect(start).rejects.toThrow(new RegExp(`\\n- The configuration of toast is not valid: ${setting}`));
  });
});
