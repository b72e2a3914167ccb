import { describe, expect, it } from 'vitest';
import { ServiceError } from './service-error.ts';
import { undeclaredError } from './undeclared.ts';

const part = {
  name: 'pay-claim',
  errors: { PAID: { kind: 'conflict', meaning: 'It is paid.' }, NOT_OPEN: 'It is not open.' },
} as const;

describe('an error of a part (platform X-9c)', () => {
  it.each([
    ['conflict', 'PAID'],
    ['refused', 'NOT_OPEN'],
    ['not_found', 'NOT_FOUND'],
    ['forbidden', 'KEY_SCOPE'],
  ] as const)('is accepted as %s %s, which is declared or of every request', (kind, code) => {
    expect(undeclaredError(part, new ServiceError(kind, code, 'No.'))).toBeUndefined();
  });

  it('is a defect when it is not declared, or declared as another kind', () => {
    const problems = [new ServiceError('refused', 'LATE', 'No.'), new ServiceError('refused', 'PAID', 'No.')].map(
      (error) => undeclaredError(part, error)?.message,
    );
    expect(problems).toEqual([
      "pay-claim fails with LATE, which it does not declare. Add it: errors: { LATE: { kind: 'refused', meaning: '…' } }.",
      "pay-claim fails with PAID of the kind 'refused', but declares it as 'conflict'.",
    ]);
  });
});
