/** The depth of a run (ai-surface 7.4). */
export const operatorModes = ['quick', 'standard', 'extended', 'streaming'] as const;

export type OperatorMode = (typeof operatorModes)[number];

/** The limits of a run by its depth. */
export interface Depth {
  readonly maxTurns: number;
  readonly maxOutputTokens: number;
  readonly maxInputTokens: number;
  readonly timeoutMs: number;
  /** The LIMIT of statements that ask for no other. */
  readonly rows: number;
}

export const depths: Readonly<Record<OperatorMode, Depth>> = {
  quick: { maxTurns: 3, maxOutputTokens: 2_000, maxInputTokens: 50_000, timeoutMs: 30_000, rows: 25 },
  standard: { maxTurns: 6, maxOutputTokens: 4_000, maxInputTokens: 100_000, timeoutMs: 60_000, rows: 100 },
  extended: { maxTurns: 13, maxOutputTokens: 8_000, maxInputTokens: 150_000, timeoutMs: 300_000, rows: 500 },
  streaming: { maxTurns: 9, maxOutputTokens: 8_000, maxInputTokens: 100_000, timeoutMs: 120_000, rows: 100 },
};

/** The author's depth in any mode: credits end its runs before turns do. */
export const authorDepth: Depth = {
  maxTurns: 25,
  maxOutputTokens: 4_000,
  maxInputTokens: 150_000,
  timeoutMs: 300_000,
  rows: 100,
};

/** The tokens that a run is expected to use, for the check of the balance before it starts (ai-surface OP-41). */
export const expectedTokens: Readonly<Record<OperatorMode, { readonly input: number; readonly output: number }>> = {
  quick: { input: 2_000, output: 500 },
  standard: { input: 5_000, output: 1_500 },
  extended: { input: 15_000, output: 3_000 },
  streaming: { input: 8_000, output: 2_000 },
};
