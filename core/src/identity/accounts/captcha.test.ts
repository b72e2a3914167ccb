import { provide } from '@pacioli/core';
import { fixedClock, startTestService, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Captcha, captcha } from './captcha.ts';

const clock = fixedClock('2026-03-02T09:00:00Z');
const password = 'Harbour-Lantern-42';
let service: TestService;

/** A test provider: it accepts one token and throws on another. */
const puzzle: Captcha = {
  required: true,
  provider: 'puzzle',
  siteKey: 'site-1',
  verify: async (token) => {
    if (token === 'broken') throw new Error('The provider is down.');
    return token === 'solved';
  },
};

beforeAll(async () => {
  const override = [provide(captcha, { create: () => puzzle })];
  service = await startTestService({ plugins: [], clock, worker: false, override });
});
afterAll(() => service.close());

const register = (overrides: object) =>
  service.anonymous.post('/v1/auth/register', { name: 'Kai', email: 'kai@example.org', password, ...overrides });

describe('a captcha', () => {
  it('is published with its provider and site key (platform A-22)', async () => {
    const config = await service.anonymous.get('/v1/auth/captcha/config');
    expect(config.body).toEqual({ required: true, site_key: 'site-1', provider: 'puzzle' });
  });

  it('is required at registration and refused unless the provider accepts it (platform A-22)', async () => {
    const missing = await register({});
    expect([missing.status, missing.body.detail]).toEqual([400, 'CAPTCHA verification is required for registration']);
    for (const captchaToken of ['guessed', 'broken']) {
      const wrong = await register({ captcha_token: captchaToken });
      expect([wrong.status, wrong.body.detail]).toEqual([400, 'CAPTCHA verification failed. Please try again.']);
    }
    expect((await register({ captcha_token: 'solved' })).status).toBe(201);
  });

  it('is checked after the rules of address and password, before the address lookup (platform A-14)', async () => {
    await register({ captcha_token: 'solved' });
    expect((await register({ email: 'nowhere' })).body.detail).toBe('Invalid email format');
    expect((await register({ password: 'short' })).body.detail).toContain('Password requirements not met');
    expect((await register({})).status).toBe(400);
    expect((await register({ captcha_token: 'solved' })).status).toBe(409);
  });
});
