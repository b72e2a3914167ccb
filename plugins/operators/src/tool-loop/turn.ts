import type { OperatorContext } from '../catalog/index.ts';
import { objectIn, parsed, type ToolOutcome } from '../tools/index.ts';
import {
  cypherTool,
  type LoopState,
  maxCallsPerTurn,
  type ToolUse,
  type TurnResult,
  withResults,
} from './decisions.ts';

/** The most rows in the metadata of an answer. */
const maxRows = 500;

/** Makes the calls of a turn in order, and adds their results to the transcript. */
export async function executeTurn(
  ctx: OperatorContext,
  state: LoopState,
  { uses, refused }: { readonly uses: readonly ToolUse[]; readonly refused?: ReadonlyMap<ToolUse, ToolOutcome> },
): Promise<LoopState> {
  const results: TurnResult[] = [];
  const first = state.succeededCalls + state.failedCalls;
  for (const [index, use] of uses.entries()) {
    const known = index < maxCallsPerTurn ? refused?.get(use) : tooMany;
    const outcome = known ?? (await ctx.tools.call({ name: use.name, input: use.input, number: first + index }));
    results.push(resultOf(use, outcome));
  }
  return withResults(state, results);
}

const tooMany: ToolOutcome = {
  text: JSON.stringify({ error: 'too_many_calls', message: `At most ${maxCallsPerTurn} calls are made in one turn.` }),
  isError: true,
};

function resultOf(use: ToolUse, { text, structured, isError }: ToolOutcome): TurnResult {
  const rows = use.name === cypherTool && !isError ? rowsOf(structured, text) : undefined;
  return { use, text, isError, ...(rows === undefined ? {} : { rows: rows.slice(0, maxRows) }) };
}

/** The rows of a statement: those of the structured result, or the array in the text. */
function rowsOf(structured: unknown, text: string): readonly unknown[] | undefined {
  const rows = objectIn(structured)['rows'] ?? parsed(text)['rows'] ?? arrayIn(text);
  return Array.isArray(rows) ? rows : undefined;
}

function arrayIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The results of calls that a person declined. */
export function declinedResults(
  state: LoopState,
  { uses, note }: { readonly uses: readonly ToolUse[]; readonly note: string | undefined },
): LoopState {
  const text = JSON.stringify({
    error: 'declined',
    message: 'The user declined these changes. Answer without making changes.',
    ...(note === undefined ? {} : { note }),
  });
  return withResults(
    state,
    uses.map((use) => ({ use, text, isError: true })),
  );
}
