/** @module-tag sessions */
import {
  type CuttableStore,
  cuttableStore,
  fixedClock,
  startTestService,
  type TestClient,
  type TestService,
} from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const clock = fixedClock('2026-03-02T09:00:00Z');
let owner: TestService;
let service: TestService;
let client: TestClient;
let line: CuttableStore;

beforeAll(async () => {
  owner = await startTestService({ plugins: [], clock, worker: false });
  line = cuttableStore(owner.store);
  service = await startTestService({ plugins: [], clock, worker: false, store: line });
  client = await service.newUser();
});
afterAll(async () => {
  line.isOut = false;
  await service.close();
  await owner.close();
});

describe('an unreachable store', () => {
  it('is reported as 503 with Retry-After, never as a logout (platform A-11)', async () => {
    line.isOut = true;
    const login = { email: 'user-1@example.org', password: 'Harbour-Lantern-42' };
    const answers = [
      await client.get('/v1/auth/me'),
      await client.post('/v1/auth/refresh'),
      await client.post('/v1/auth/logout'),
      await service.anonymous.post('/v1/auth/login', login),
      await service.anonymous.post('/v1/auth/register', { ...login, name: 'User', email: 'new@example.org' }),
      await service.anonymous.post('/v1/auth/password/forgot', login),
      await service.anonymous.post('/v1/auth/email/verify', { token: 'any' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503));
    expect(answers.map(({ headers }) => headers.get('retry-after'))).toEqual(answers.map(() => '5'));
    line.isOut = false;
    expect((await client.get('/v1/auth/me')).status).toBe(200);
  });
});
