/** An event that is captured without applying handlers, whatever its metadata. */
export const captured = (eventType: string, metadata: object, more: object = {}): object => ({
  event_type: eventType,
  event_category: 'other',
  occurred_at: '2026-03-10T10:00:00Z',
  source: 'manual',
  metadata,
  ...more,
});
