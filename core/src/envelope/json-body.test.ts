import { describe, expect, it } from 'vitest';
import { isServiceError } from '../errors/service-error.ts';
import { parseBody } from './json-body.ts';

/** Returns the single issue of a refused body. */
function issueOf(text: string): unknown {
  try {
    parseBody(text);
  } catch (error) {
    if (isServiceError(error)) return error.issues?.[0];
    throw error;
  }
  return undefined;
}

describe('a body that is not JSON', () => {
  it.each([
    ['{"a":}', 5],
    ['{"a":1,,"b":2}', 7],
    [`{"a": truu, "x": "${'y'.repeat(100)}"}`, 9],
    ['[1 2]', 3],
    ['{"a":1}x', 7],
    ['[1, nul]', 7],
    ['{"text": ', 9],
    ['"never closed', 13],
    ['-', 1],
    ['[1,\n  }', 6],
    // V8 quotes these bodies in its message.
    ['["at position 1", x]', 18],
    ['["in JSON at position 1", x]', 26],
    ['["Unexpected end", x]', 19],
    ['[x, "in JSON at position 3', 1],
    ['["Unexpected end of JSON input", x', 33],
  ])('is refused at the first character that is not JSON: %j (platform E-6)', (text, offset) => {
    expect(issueOf(text)).toEqual({ loc: ['body', offset], msg: 'JSON decode error', type: 'json_invalid' });
  });

  it('is not searched for the position if it is long (platform E-6)', () => {
    const text = `[${'0,'.repeat(40_000)}x]`;
    expect(issueOf(text)).toMatchObject({ loc: ['body', text.length] });
  });
});

describe('a number in a body', () => {
  it.each([
    ['{"metadata": {"rate": 1e400}}', ['body', 'metadata', 'rate']],
    ['{"a": [0, -2.5E+0400]}', ['body', 'a', 1]],
    [`{"a": ${'9'.repeat(309)}}`, ['body', 'a']],
    [`{"a": ${'9'.repeat(300)}e9}`, ['body', 'a']],
  ])('is refused with its location if it exceeds a double: %j', (text, loc) => {
    expect(issueOf(text)).toEqual({
      loc,
      msg: expect.stringContaining('Exceeds the range of a double'),
      type: 'value_error',
    });
  });

  it.each([
    ['1.7976931348623157e308', Number.MAX_VALUE],
    ['1e-400', 0],
    ['"1e400"', '1e400'],
    [`"${'9'.repeat(400)}"`, '9'.repeat(400)],
    [`0.${'9'.repeat(400)}`, 1],
  ])('is accepted within the range of a double, and unchanged inside a string: %j', (text, value) => {
    expect(parseBody(`{"a": ${text}}`)).toEqual({ a: value });
  });
});

describe('a whole number beyond ±(2^53−1)', () => {
  it('is exact if the route requires it, while digits in strings and fractions are unchanged (graphs Q-45a)', () => {
    const text =
      '{"a": [9007199254740993, -9007199254740992, 9007199254740991, 9007199254740993.0, 1e20],' +
      ' "9007199254740993": "9007199254740993", "b": "\\\\\\"12345678901234567890"}';
    expect(parseBody(text, { exactIntegers: true })).toEqual({
      a: [9007199254740993n, -9007199254740992n, 9007199254740991, 9007199254740992, 1e20],
      '9007199254740993': '9007199254740993',
      b: '\\"12345678901234567890',
    });
    expect(parseBody('[9007199254740992]')).toEqual([9007199254740992]);
  });
});
