/** An event that is only captured, whatever its metadata says. */
export const captured = (event_type: string, metadata: object, more: object = {}): object => ({
  event_type,
  event_category: 'other',
  occurred_at: '2026-03-10T10:00:00Z',
  source: 'manual',
  metadata,
  ...more,
});
