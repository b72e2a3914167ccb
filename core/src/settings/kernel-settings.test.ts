import { describe, expect, it } from 'vitest';
import { settingsOf } from './kernel-settings.ts';

describe('settingsOf', () => {
  it('rejects an idempotency ttl longer than the retention of operation records (platform N-23)', () => {
    const operations = { retentionDays: 2 };
    expect(settingsOf({ operations, idempotency: { ttlHours: 48 } }).idempotency.ttlHours).toBe(48);
    expect(() => settingsOf({ operations, idempotency: { ttlHours: 49 } })).toThrow(
      'The setting idempotency.ttlHours must not be longer than operations.retentionDays.',
    );
  });
});
