import { describe, expect, it } from 'vitest';
import { NearDuplicateFilter } from './near-duplicates.ts';

function areNearDuplicates(text: string, other: string): boolean {
  const filter = new NearDuplicateFilter();
  filter.accepts(text);
  return !filter.accepts(other);
}

describe('NearDuplicateFilter', () => {
  it.each([
    ['Grade A', 'Grade'],
    ['Class A shares', 'Class shares'],
    ['The rating is "A".', 'The rating is.'],
    ['A grade A is paid.', 'A grade is paid.'],
  ])('keeps %j apart from %j, because an upper-case A inside a text is a name (ME-12)', (text, other) => {
    expect(areNearDuplicates(text, other)).toBe(false);
  });

  it.each([
    ['A month ends.', 'the month ends'],
    ['"A month" ends.', 'Month ends'],
    ['We close a month.', 'We close The month!'],
    ['Grade A is paid.', 'GRADE A IS PAID'],
    ['An invoice is due', 'invoice is due'],
  ])('takes %j and %j for near duplicates (ME-12)', (text, other) => {
    expect(areNearDuplicates(text, other)).toBe(true);
  });
});
