import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isServiceError } from '../errors/service-error.ts';
import { type ParseOptions, parseBody } from './json-body.ts';

/** Returns the single issue of a refused body. */
function issueOf(text: string, options: ParseOptions = {}): unknown {
  try {
    parseBody(text, options);
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
  ])('is refused with its location if it exceeds a double: %j (platform E-6a)', (text, loc) => {
    const issue = { loc, msg: 'Too large: numbers are at most about 1.8e308', type: 'value_error' };
    expect(issueOf(text)).toEqual(issue);
    expect(issueOf(text, { exactIntegers: true })).toEqual(issue);
  });

  it.each([
    ['9007199254740990.9', '9007199254740991'],
    ['-9007199254740993', '-9007199254740992'],
    ['9007199254740993.0', '9007199254740992'],
    ['0.1234567890123456789', '0.12345678901234568'],
    [`0.${'9'.repeat(400)}`, '1'],
    ['1e-400', '0'],
    ['4e-324', '5e-324'],
  ])('is refused with its location if a double does not keep its digits: %s (platform E-6a)', (literal, kept) => {
    expect(issueOf(`{"lines": [{"memo": "${literal}", "amount": ${literal}}]}`)).toEqual({
      loc: ['body', 'lines', 0, 'amount'],
      msg: `Has more digits than a number can keep: it would become ${kept}`,
      type: 'value_error',
    });
  });

  it('is refused also if a later field of the same name hides it (platform E-6a)', () => {
    expect(issueOf('{"a": 1e400, "a": 1}')).toMatchObject({ loc: ['body'], msg: expect.stringMatching(/^Too large/) });
  });

  it.each([
    ['1.7976931348623157e308', Number.MAX_VALUE],
    ['5e-324', Number.MIN_VALUE],
    ['0.0e-400', 0],
    ['1e23', 1e23],
    ['0.10000000000000001', 0.1],
    ['0.1000000000000000055511151231257827', 0.1],
    ['1152921504606847000', 2 ** 60],
    ['1152921504606846976', 2 ** 60],
    ['9007199254740992', 2 ** 53],
    ['1.00000000000000000000000', 1],
    // JavaScript writes this, although the decimal that ends in 801 is nearer.
    ['5.684341886080802e-14', 2 ** -44],
    // Both are as near to the double.
    ['2.9802322387695312e-7', 5 * 2 ** -24],
    ['2.9802322387695313e-7', 5 * 2 ** -24],
    ['"1e400"', '1e400'],
    [`"${'9'.repeat(400)}"`, '9'.repeat(400)],
  ])('is accepted if a double keeps its digits, and unchanged inside a string: %s (platform E-6a)', (text, value) => {
    expect(parseBody(`{"a": ${text}}`)).toEqual({ a: value });
  });

  it('is accepted in the form in which programs write their doubles (platform E-6a)', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (double) => {
        const forms = [JSON.stringify(double), double.toPrecision(17), double.toExponential()];
        expect(parseBody(`[${forms.join(', ')}]`)).toEqual(forms.map(Number));
      }),
    );
  });
});

describe('a whole number beyond ±(2^53−1)', () => {
  it('is exact if the route requires it, while digits in strings and fractions are unchanged (graphs Q-45a)', () => {
    const text =
      '{"a": [9007199254740993, -9007199254740992, 9007199254740991, 9007199254740992.0, 1e20],' +
      ' "9007199254740993": "9007199254740993", "b": "\\\\\\"12345678901234567890"}';
    expect(parseBody(text, { exactIntegers: true })).toEqual({
      a: [9007199254740993n, -9007199254740992n, 9007199254740991, 9007199254740992, 1e20],
      '9007199254740993': '9007199254740993',
      b: '\\"12345678901234567890',
    });
    expect(parseBody('[9007199254740992]')).toEqual([9007199254740992]);
  });
});

describe('the nesting of a body', () => {
  const open = '['.repeat(200);

  it.each([
    ['in a string', JSON.stringify({ text: open })],
    ['after escaped quotation marks in a string', JSON.stringify({ text: `"${open}"${open}` })],
    ['in a name after an escaped backslash', JSON.stringify({ [`\\"${open}`]: '\\', next: open })],
  ])('does not count brackets %s (platform E-6)', (_place, text) => {
    expect(parseBody(text)).toEqual(JSON.parse(text));
  });

  it.each([
    ['after a string that ends with a backslash', `{"text": "\\\\", "deep": ${open}${']'.repeat(200)}}`],
    ['after a string that ends with a quotation mark', `{"text": "\\"", "deep": ${open}${']'.repeat(200)}}`],
  ])('counts brackets %s (platform E-6)', (_place, text) => {
    expect(issueOf(text)).toMatchObject({ msg: 'Nested deeper than 100 levels' });
  });
});
