import { fixedClock, startTestService, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const clock = fixedClock('2026-03-02T09:00:00Z');
const laptop = { 'user-agent': 'Laptop 1.0', 'accept-language': 'nl', 'sec-ch-ua-platform': '"Linux"' };
let bound: TestService;
let free: TestService;

beforeAll(async () => {
  bound = await startTestService({ plugins: [], clock, worker: false, settings: { auth: { deviceBinding: true } } });
  free = await startTestService({ plugins: [], clock, worker: false });
});
afterAll(async () => {
  await bound.close();
  await free.close();
});

async function signIn(service: TestService) {
  const client = service.anonymous.withHeaders(laptop);
  const person = { name: 'Ada', email: `ada@example.org`, password: 'Harbour-Lantern-42' };
  const registered = await client.post('/v1/auth/register', person);
  const answer = registered.status === 201 ? registered : await client.post('/v1/auth/login', person);
  return client.withHeaders({ authorization: `Bearer ${answer.body.token}` });
}

describe('a session that is bound to a device', () => {
  it('can be read and renewed on its device, also after a renewal (platform A-9)', async () => {
    const client = await signIn(bound);
    expect((await client.get('/v1/auth/me')).status).toBe(200);
    const renewed = await client.post('/v1/auth/refresh');
    expect(renewed.status).toBe(200);
    const next = client.withHeaders({ authorization: `Bearer ${renewed.body.token}` });
    expect((await next.get('/v1/auth/me')).status).toBe(200);
    expect((await next.withHeaders({ 'user-agent': 'Other' }).get('/v1/auth/me')).status).toBe(401);
  });

  it.each(Object.keys(laptop))('is refused on /me and /refresh when %s differs (platform A-9)', async (name) => {
    const elsewhere = (await signIn(bound)).withHeaders({ [name]: 'another' });
    for (const answer of [await elsewhere.get('/v1/auth/me'), await elsewhere.post('/v1/auth/refresh')]) {
      expect([answer.status, answer.body.detail]).toEqual([401, 'Device changes detected. Please re-authenticate.']);
    }
    // Other routes do not check the device: browsers start with these two.
    expect((await elsewhere.get('/v1/user')).status).toBe(200);
  });

  it('ignores the encodings that a client accepts (platform A-9)', async () => {
    const client = (await signIn(bound)).withHeaders({ 'accept-encoding': 'identity' });
    expect((await client.get('/v1/auth/me')).status).toBe(200);
  });
});

describe('a session of a deployment without device binding', () => {
  it('is accepted from every device (platform A-9)', async () => {
    const elsewhere = (await signIn(free)).withHeaders({ 'user-agent': 'Other' });
    expect((await elsewhere.get('/v1/auth/me')).status).toBe(200);
    expect((await elsewhere.post('/v1/auth/refresh')).status).toBe(200);
  });
});
