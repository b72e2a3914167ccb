import { describe, expect, it } from 'vitest';
import { formatExpectedFailures, parseExpectedFailures, readExpectedFailures } from './expected-failures.ts';

describe('expected-failures', () => {
  it('parses the text that it formats', () => {
    const groups = new Map([
      ['Not built: the "second" part.', ['openapi:GET /v1/a', 'GEN-001 GET /v1/a']],
      ['A reason of its own.', ['sdl:Query.a']],
    ]);
    expect([...parseExpectedFailures(formatExpectedFailures(groups))]).toEqual([
      ['openapi:GET /v1/a', 'Not built: the "second" part.'],
      ['GEN-001 GET /v1/a', 'Not built: the "second" part.'],
      ['sdl:Query.a', 'A reason of its own.'],
    ]);
  });

  it('rejects groups without a reason, duplicate ids, and other structures', () => {
    expect(() => parseExpectedFailures('- ids: [A-001]')).toThrow('needs a reason');
    expect(() => parseExpectedFailures('- {reason: r, ids: [A-001]}\n- {reason: s, ids: [A-001]}')).toThrow('twice');
    expect(() => parseExpectedFailures('A-001: r')).toThrow('a list of groups');
    expect(parseExpectedFailures('').size).toBe(0);
  });

  it('reads the list of this package', () => {
    for (const [id, reason] of readExpectedFailures()) expect([id, reason.length > 0]).toEqual([id, true]);
  });
});
