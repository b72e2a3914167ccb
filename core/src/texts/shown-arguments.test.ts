import { describe, expect, it } from 'vitest';
import { maxShownValues, shownArguments } from './shown-arguments.ts';

describe('the arguments that a person confirms', () => {
  it('are all shown, short ones first and each long one shortened with a mark (ai-surface M-20d)', () => {
    const reason = 'x'.repeat(2_500);
    expect(shownArguments({ reason, payload: { note: 'why', id: 'b1' }, force: true })?.split('\n')).toEqual([
      'force: true',
      'payload.id: "b1"',
      'payload.note: "why"',
      `reason: "${'x'.repeat(500)}"… (2,500 characters)`,
    ]);
    expect(shownArguments({ reason: 'x'.repeat(500) })).toBe(`reason: "${'x'.repeat(500)}"`);
    expect(shownArguments({ reason: 'x'.repeat(501) })).toMatch(/x"… \(501 characters\)$/);
    expect(shownArguments({ list: [], 'a b': null })).toBe('list: []\n"a b": null');
    expect(shownArguments(undefined)).toBe('');
  });

  it('cannot look like others: line breaks and direction characters are written out (ai-surface M-20d)', () => {
    expect(shownArguments({ reason: 'x\nid: "b2"', 'id:\u202e': '\u2028' })).toBe(
      'reason: "x\\nid: \\"b2\\""\n"id:\\u{202e}": "\\u{2028}"',
    );
  });

  it('are not shown if they are more than a person can read (ai-surface M-20d)', () => {
    const ids = (count: number) => ({ ids: Array.from({ length: count }, (_, index) => index) });
    expect(shownArguments(ids(maxShownValues))?.split('\n')).toHaveLength(maxShownValues);
    expect(shownArguments(ids(maxShownValues + 1))).toBeUndefined();
    expect(shownArguments({ ['n'.repeat(200)]: 1 })).toBeDefined();
    expect(shownArguments({ ['n'.repeat(201)]: 1 })).toBeUndefined();
    expect(shownArguments(JSON.parse(`${'['.repeat(9_000)}${']'.repeat(9_000)}`))).toBeUndefined();
  });
});
