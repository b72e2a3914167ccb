import { describe, expect, it } from 'vitest';
import { settingsOf } from './kernel-settings.ts';

describe('settingsOf', () => {
  it('accepts a prefix only as a path without a slash at its end (platform E-27)', () => {
    for (const prefix of ['', '/books', '/tenants/left_1']) expect(settingsOf({ prefix }).prefix).toBe(prefix);
    for (const prefix of ['books', '/', '/books/', '//books', '/bo oks', '/{id}', 'https://example.org/books'])
      expect(() => settingsOf({ prefix })).toThrow(`without a slash at its end, not "${prefix}".`);
  });

  it('rejects an idempotency ttl longer than the retention of operation records (platform N-23)', () => {
    const operations = { retentionDays: 2 };
    expect(settingsOf({ operations, idempotency: { ttlHours: 48 } }).idempotency.ttlHours).toBe(48);
    expect(() => settingsOf({ operations, idempotency: { ttlHours: 49 } })).toThrow(
      'The setting idempotency.ttlHours must not be longer than operations.retentionDays.',
    );
  });

  it('rejects a retention of audits shorter than that of operations, whose status they tell (platform N-5a)', () => {
    expect(settingsOf({ audit: { retentionDays: 7 } }).audit.retentionDays).toBe(7);
    expect(() => settingsOf({ audit: { retentionDays: 6 } })).toThrow(
      'The setting audit.retentionDays must not be shorter than operations.retentionDays.',
    );
  });
});
