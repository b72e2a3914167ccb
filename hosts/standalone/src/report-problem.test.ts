import { StoreError } from '@pacioli/core/ports';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { reportProblem } from './report-problem.ts';

describe('report-problem', () => {
  afterEach(() => vi.restoreAllMocks());

  it('prints one line without a stack trace for a store error with a remedy (platform H-4a)', () => {
    const print = vi.spyOn(console, 'error').mockReturnValue();
    expect(reportProblem(new StoreError('migration', 'The table diary_page is open. Close it.'))).toBe(1);
    expect(print.mock.calls).toEqual([['The table diary_page is open. Close it.']]);
  });
});
