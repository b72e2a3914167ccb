import { WorkerFailure } from './failure.ts';

/** A date or instant of the years 1 to 9999, as the engine writes it. It writes `0002-11-28 (BC)` for earlier ones. */
const fourDigitYear = /^(?!0000)\d{4}-\d\d-\d\d(?: \d|$)/;

/** The text of a date or instant. Throws if its year has no four digits, as ISO 8601 requires (graphs Q-45). */
export function calendarText(text: string): string {
  if (!fourDigitYear.test(text)) throw noFourDigits();
  return text;
}

/** As `calendarText`, for a value of the binding, which has no time at all if the engine's is beyond those of JavaScript. */
export function calendarIso(value: Date): string {
  const year = value.getUTCFullYear();
  if (!(year >= 1 && year <= 9999)) throw noFourDigits();
  return value.toISOString();
}

function noFourDigits(): WorkerFailure {
  return new WorkerFailure(
    'runtime',
    'A date or timestamp in the answer is outside of the years 1 to 9999: return it as cast(x AS STRING).',
  );
}
