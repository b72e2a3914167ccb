import { describe, expect, it } from 'vitest';
import { failureOf } from './failure.ts';

const ofServer = (message: string, code = 'Neo.DatabaseError.Statement.ExecutionFailed'): Error =>
  Object.assign(new Error(message), { code });

describe('failures of a server', () => {
  it.each(['-2147483648', 'Overflow: String length out of range', 'Requested array size exceeds VM limit'])(
    'that are a length beyond its limits are run-time errors of the statement: %s (graphs Q-52)',
    (message) => {
      expect(failureOf(ofServer(message))).toMatchObject({
        code: 'runtime',
        message: 'A text or list of the statement would be too long.',
      });
    },
  );

  it('are run-time errors of the statement if a function got a wrong argument (graphs Q-52)', () => {
    const message = 'Cannot handle negative start index nor negative length';
    expect(failureOf(ofServer(message))).toMatchObject({ code: 'runtime', message });
  });

  it('are engine failures in all other cases, without the message of the server', () => {
    expect(failureOf(ofServer('Page 7 of /var/lib/store cannot be read'))).toMatchObject({
      code: 'engine',
      message: 'The graph engine failed on this request.',
    });
  });
});
