import { fixedClock, startTestService, type TestService } from '@pacioli/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { mayReadMetrics } from '../src/metrics/metrics.ts';

let service: TestService | undefined;
afterEach(async () => {
  await service?.close();
});

const clock = fixedClock('2026-03-02T09:00:00Z');

describe('get-metrics', () => {
  it('counts responses by route template and status, and refusals by category', async () => {
    service = await startTestService({ plugins: [], clock, settings: { rateLimits: { profile: 'standard' } } });
    const user = await service.newUser('Ann');
    await user.get('/v1/orgs/org_unknown');
    for (let call = 0; call < 12; call += 1) await service.anonymous.get('/v1/user');
    const answer = await fetch(`${service.url}/metrics`);
    expect(answer.headers.get('content-type')).toContain('text/plain');
    const text = await answer.text();
    expect(text).toContain('pacioli_requests_total{endpoint="GET /v1/orgs/{org_id}",status="403"} 1');
    expect(text).toContain('pacioli_requests_total{endpoint="GET /v1/user",status="429"} 2');
    expect(text).toContain('pacioli_rate_limited_total{category="user_management"} 2');
    expect(text).toContain('pacioli_operations{state="pending"} 0');
    expect(text).toContain('pacioli_process_resident_memory_bytes');
    expect(text).not.toMatch(/org_unknown|user_0|example\.org/);
  });

  it('requires the token if one is configured, else a local caller', async () => {
    service = await startTestService({ plugins: [], settings: { metrics: { token: 'numbers-please' } } });
    const read = (headers: Record<string, string>) => fetch(`${service?.url}/metrics`, { headers });
    expect((await read({})).status).toBe(404);
    expect((await read({ authorization: 'Bearer numbers-pleas3' })).status).toBe(404);
    expect((await read({ authorization: 'Bearer numbers-please' })).status).toBe(200);
    expect(mayReadMetrics('', { ip: '127.0.0.1' })).toBe(true);
    expect(mayReadMetrics('', { ip: '::ffff:127.0.0.1' })).toBe(true);
    expect(mayReadMetrics('', { ip: '10.0.0.7' })).toBe(false);
    expect(mayReadMetrics('', { ip: '127.0.0.1.example.org' })).toBe(false);
  });

  it('responds with 404 if metrics are off', async () => {
    service = await startTestService({ plugins: [], settings: { metrics: { enabled: false } } });
    expect((await service.anonymous.get('/metrics')).status).toBe(404);
  });
});
