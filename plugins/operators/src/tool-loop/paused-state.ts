import type { OperatorContext } from '../catalog/index.ts';
import { objectIn } from '../tools/index.ts';
import type { LoopState, ToolUse } from './decisions.ts';

interface Paused {
  readonly loop: LoopState;
  readonly uses: readonly ToolUse[];
  /**
   * The positions in `uses` of the writes that the question shows; only they are approved (ai-surface OP-62). The states
   * of earlier versions do not have it.
   */
  readonly shown?: readonly number[];
}

/** A loop that continues, with the decision of the person. */
interface Resumed {
  readonly state: LoopState;
  readonly uses: readonly ToolUse[];
  readonly shown: readonly number[];
  readonly note: string | undefined;
}

/** The state of a loop that waits for an approval of these writes: transcript and counters (ai-surface OP-60). */
export function pausedState(
  loop: LoopState,
  uses: readonly ToolUse[],
  writes: readonly ToolUse[],
): Readonly<Record<string, unknown>> {
  const paused: Paused = { loop, uses, shown: writes.map((write) => uses.indexOf(write)) };
  return { ...paused };
}

/** Reads what `pausedState` stored, with the decision of the person; undefined for a run that begins. */
export function resumedState({ resume }: Pick<OperatorContext, 'resume'>): Resumed | undefined {
  if (resume === undefined) return undefined;
  const paused = resume.state as unknown as Paused; // Stored by `pausedState`, and by nothing else.
  const input = objectIn(resume.input);
  const note = input['note'];
  return {
    state: input['approve'] === true ? paused.loop : { ...paused.loop, isDeclined: true },
    uses: paused.uses,
    shown: paused.shown ?? [],
    note: typeof note === 'string' ? note : undefined,
  };
}
