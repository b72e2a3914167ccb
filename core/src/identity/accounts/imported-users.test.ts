/** @module-tag sessions */
import { hash } from '@node-rs/bcrypt';
import { fixedClock, startTestService, type TestService } from '@pacioli/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KernelUser } from '../../rows.gen.ts';

const password = 'Harbour-Lantern-42';
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ plugins: [], clock: fixedClock('2026-03-02T09:00:00Z'), worker: false });
});
afterAll(() => service.close());

describe('a user with a bcrypt hash', () => {
  it('signs in with the old password, which replaces the hash (platform A-23)', async () => {
    const email = 'imported@example.org';
    await service.anonymous.post('/v1/auth/register', { name: 'Imported', email, password: 'Copper-Meadow-77' });
    const bcrypt = await hash(password, { cost: 4 });
    await service.store.transaction('kernel', (tx) =>
      tx.query(sql`UPDATE kernel_user SET password_hash = ${bcrypt} WHERE email = ${email}`),
    );
    const stored = async () => {
      const rows = await service.store.transaction('kernel', (tx) =>
        tx.query<Pick<KernelUser, 'password_hash'>>(sql`SELECT password_hash FROM kernel_user WHERE email = ${email}`),
      );
      return rows[0]?.password_hash;
    };
    const login = (given: string) => service.anonymous.post('/v1/auth/login', { email, password: given });
    expect((await login('Harbour-Lantern-43')).status).toBe(401);
    expect(await stored()).toBe(bcrypt);
    expect((await login(password)).status).toBe(200);
    expect(await stored()).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect((await login(password)).status).toBe(200);
    expect((await login('Harbour-Lantern-43')).status).toBe(401);
  });
});
