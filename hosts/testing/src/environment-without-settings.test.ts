import { describe, expect, it } from 'vitest';
import { environmentWithoutSettings } from './environment-without-settings.ts';

describe('environmentWithoutSettings', () => {
  it('removes the settings of the service and of a test run, and keeps the rest', () => {
    const kept = { PATH: '/usr/bin', HOME: '/home/ann', HOSTNAME: 'desk', MY_DATABASE_URL: 'x' };
    const settings = {
      DATABASE_URL: 'postgresql://localhost/books',
      DATA_DIR: '/data',
      PORT: '80',
      HOST: '0.0.0.0',
      DEMO: 'off',
      PACIOLI_JWT_SECRET: 'secret',
      PACIOLI_TEST_STORES: 'server',
      NODE_OPTIONS: '--inspect',
      VITEST: 'true',
      VITEST_WORKER_ID: '1',
    };
    expect(environmentWithoutSettings({ ...kept, ...settings })).toEqual(kept);
  });
});
