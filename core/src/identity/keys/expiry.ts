const dateTime = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** Reads an ISO 8601 date or instant; without a zone it is UTC, without a time midnight (platform K-2). */
export function parseInstant(text: string): Date | undefined {
  const parts = dateTime.exec(text.trim());
  if (parts === null) return undefined;
  const [, day = '', time = '00:00', zone = 'Z'] = parts;
  const at = new Date(`${day}T${time}${zone.toUpperCase().replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')}`);
  // Date turns February 30 into March 2; reject it instead.
  const midnight = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(at.getTime()) || midnight.toISOString().slice(0, 10) !== day) return undefined;
  return at;
}
