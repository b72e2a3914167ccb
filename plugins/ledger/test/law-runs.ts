/** Seconds for the books made by chance of one test; what is left then is not tried. */
const seconds_max = 120;

const wanted = process.env['PACIOLI_LAW_RUNS'];

/** How many books a test makes by chance: few, unless PACIOLI_LAW_RUNS asks for more and gives them the time. */
export function lawRuns(usual: number): { readonly numRuns: number; readonly interruptAfterTimeLimit: number } {
  const numRuns = wanted === undefined ? usual : Number(wanted);
  return { numRuns, interruptAfterTimeLimit: 1000 * seconds_max * Math.max(1, numRuns / usual) };
}

/** Time for a test of such books, its preparations and the smallest example of a failure. */
export const law_ms_max = 1000 * seconds_max * (wanted === undefined ? 4 : 60);
