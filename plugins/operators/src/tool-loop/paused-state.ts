import type { OperatorContext } from '../catalog/index.ts';
import type { Spent } from '../metered/index.ts';
import { objectIn, type WriteReceipt } from '../tools/index.ts';
import type { LoopState, ToolUse } from './decisions.ts';

interface Paused {
  readonly loop: LoopState;
  readonly uses: readonly ToolUse[];
  readonly spent: Spent;
  readonly writes: readonly WriteReceipt[];
}

/** The state of a loop that waits for an approval: transcript, counters and receipts (ai-surface OP-60). */
export function pausedState(
  ctx: Pick<OperatorContext, 'ai' | 'tools'>,
  loop: LoopState,
  uses: readonly ToolUse[],
): Readonly<Record<string, unknown>> {
  const paused: Paused = { loop, uses, spent: ctx.ai.spent, writes: ctx.tools.writes };
  return { ...paused };
}

/** Restores what `pausedState` stored, with the decision of the person; undefined for a run that begins. */
export function resumedState(
  ctx: Pick<OperatorContext, 'ai' | 'tools' | 'resume'>,
): { readonly state: LoopState; readonly uses: readonly ToolUse[]; readonly note: string | undefined } | undefined {
  if (ctx.resume === undefined) return undefined;
  const paused = ctx.resume.state as unknown as Paused; // Stored by `pausedState`, and by nothing else.
  ctx.ai.restore(paused.spent);
  ctx.tools.restore(paused.writes);
  const input = objectIn(ctx.resume.input);
  const note = input['note'];
  return {
    state: input['approve'] === true ? paused.loop : { ...paused.loop, isDeclined: true },
    uses: paused.uses,
    note: typeof note === 'string' ? note : undefined,
  };
}
