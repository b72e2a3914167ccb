/** Seconds that one test spends on generated books when more of them are requested; the remaining ones are skipped. */
const maxSeconds = 120;

const wanted = process.env['PACIOLI_LAW_RUNS'];
const isFullRun = process.env['PACIOLI_TEST_FULL_RUN'] === '1';

interface LawRuns {
  readonly numRuns: number;
  readonly interruptAfterTimeLimit?: number;
  readonly seed?: number;
  readonly endOnFailure?: boolean;
}

/**
 * The number of books that a property test generates: the usual number in `npm run test:all`, one in `npm test`, always
 * from the same seed, so that a change is judged by its effect, and all of them, however busy the machine is. A failure
 * is reported as it was found: on a busy machine, the search for a smaller one would not end before the timeout.
 * PACIOLI_LAW_RUNS sets another number, with more time, a random seed and that search.
 */
export function lawRuns(usual: number): LawRuns {
  if (wanted === undefined) return { numRuns: isFullRun ? usual : 1, seed: 20_250_331, endOnFailure: true };
  const numRuns = Number(wanted);
  return { numRuns, interruptAfterTimeLimit: 1000 * maxSeconds * Math.max(1, numRuns / usual) };
}

/** Timeout of such a test, with time for set-up and, with PACIOLI_LAW_RUNS, for shrinking a failure. */
export const maxLawMs = 1000 * maxSeconds * (wanted === undefined ? 4 : 60);
