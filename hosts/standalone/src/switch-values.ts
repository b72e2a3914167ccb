import { StartUpError } from './start-up-error.ts';

/** Parses a whole number; the error names its bounds. */
export function wholeNumber(name: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw new StartUpError(`${name} must be a whole number from ${least} to ${most}, not "${text}".`);
}

/** Parses a boolean. */
export function truth(name: string, text: string): boolean {
  const isOn = truthOf(text);
  if (isOn !== undefined) return isOn;
  throw new StartUpError(`${name} must be true or false, not "${text}".`);
}

/** The boolean that a text stands for, or undefined. */
export function truthOf(text: string): boolean | undefined {
  const value = text.trim().toLowerCase();
  if (['true', 'on', '1', 'yes'].includes(value)) return true;
  return ['false', 'off', '0', 'no'].includes(value) ? false : undefined;
}

/** The parts of a list, without empty ones. */
export function commaSeparated(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
