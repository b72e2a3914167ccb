/** Seconds for the books made by chance of one test, when more of them are asked for; what is left then is not tried. */
const maxSeconds = 120;

const wanted = process.env['PACIOLI_LAW_RUNS'];
const isFullRun = process.env['PACIOLI_TEST_FULL_RUN'] === '1';

interface LawRuns {
  readonly numRuns: number;
  readonly interruptAfterTimeLimit?: number;
  readonly seed?: number;
}

/**
 * The number of books a test makes by chance: in `npm run test:all` the usual one, in `npm test` one. They are the same at
 * each run, so that a change is judged by what it does, and all of them are tried, however busy the machine is.
 * PACIOLI_LAW_RUNS asks for more, gives them the time, and draws new ones each time.
 */
export function lawRuns(usual: number): LawRuns {
  if (wanted === undefined) return { numRuns: isFullRun ? usual : 1, seed: 20_250_331 };
  const numRuns = Number(wanted);
  return { numRuns, interruptAfterTimeLimit: 1000 * maxSeconds * Math.max(1, numRuns / usual) };
}

/** Time for a test of such books, its preparations and the smallest example of a failure. */
export const maxLawMs = 1000 * maxSeconds * (wanted === undefined ? 4 : 60);
