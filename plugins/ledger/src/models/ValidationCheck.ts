import { model } from '@pacioli/core';
import { Type } from 'typebox';
import { type ForeignLines, foreignLinesCheck, foreignLinesFinding } from '../balances/index.ts';

/** The outcome of the checks on a list of balances, in the same form as on statements. */
export const ValidationCheck = model('ValidationCheck', {
  passed: Type.Boolean(),
  status: Type.String(),
  checks: Type.Array(Type.String()),
  failures: Type.Array(Type.String()),
  warnings: Type.Array(Type.String()),
});

/** A trial balance passes when it omits no posted line (ledger L-5a). */
export function validationOf(foreign: readonly ForeignLines[], functional: string) {
  const finding = foreignLinesFinding(foreign, functional);
  return {
    passed: finding === undefined,
    status: finding === undefined ? 'passed' : 'failed',
    checks: [foreignLinesCheck],
    failures: finding === undefined ? [] : [finding],
    warnings: [],
  };
}
