/** Parses an instant to UTC; text without an offset is UTC (ledger L-6). Returns undefined when it is invalid. */
export function utcInstant(text: string): string | undefined {
  const [, day, time, offset] = /^(\d{4}-\d{2}-\d{2})[T\s](\d{2}:\d{2}:\d{2}(?:\.\d+)?)(.*)$/i.exec(text.trim()) ?? [];
  if (day === undefined || time === undefined || offset === undefined) return undefined;
  const instant = new Date(`${day}T${time}${zoneOf(offset)}`);
  // Rejects days and seconds that do not exist, such as leap seconds, and years that the store cannot hold.
  if (Number.isNaN(instant.getTime())) return undefined;
  const iso = instant.toISOString();
  return /^(?!0000)\d{4}-/.test(iso) ? iso : undefined;
}

/** An offset as `Date` reads it: hours and minutes with a colon between them. */
function zoneOf(offset: string): string {
  if (offset === '' || offset.toUpperCase() === 'Z') return 'Z';
  const [, hours, minutes] = /^([+-]\d{2}):?(\d{2})?$/.exec(offset) ?? [];
  return hours === undefined ? offset : `${hours}:${minutes ?? '00'}`;
}
