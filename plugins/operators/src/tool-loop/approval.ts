import { maxShownValues, shownArguments } from '@pacioli/core';
import type { OperatorContext } from '../catalog/index.ts';
import { objectIn, type ToolOutcome } from '../tools/index.ts';
import { maxCallsPerTurn, type ToolUse } from './decisions.ts';

/** The writes of a turn that needs an approval, and the results of those that are refused before a person sees them. */
interface PlannedWrites {
  readonly writes: readonly ToolUse[];
  readonly refused: ReadonlyMap<ToolUse, ToolOutcome>;
}

export const noWrites: PlannedWrites = { writes: [], refused: new Map() };

/**
 * The writes that a turn would make. If the arguments of one do not fit its tool or cannot all be shown, all are refused, so that a person
 * decides about the whole change after the model has corrected it (ai-surface OP-62).
 */
export function plannedWrites({ tools }: Pick<OperatorContext, 'tools'>, uses: readonly ToolUse[]): PlannedWrites {
  const writes = uses.slice(0, maxCallsPerTurn).filter(({ name }) => tools.isWrite(name));
  const problems = new Map(writes.map((use) => [use, tools.problemOf(use) ?? unreadable(use)]));
  const hasProblem = [...problems.values()].some((problem) => problem !== undefined);
  const refused = hasProblem ? new Map(writes.map((use) => [use, problems.get(use) ?? notMade])) : noWrites.refused;
  return { writes, refused };
}

/** The refusal of a call whose arguments a person could not read. */
function unreadable({ input }: ToolUse): ToolOutcome | undefined {
  if (shownArguments(objectIn(input)) !== undefined) return undefined;
  const message =
    `A person approves a call with at most ${maxShownValues} values and short names. ` +
    'Send several calls with fewer values each.';
  return { text: JSON.stringify({ error: 'too_many_values', message }), isError: true };
}

const notMade: ToolOutcome = {
  text: JSON.stringify({
    error: 'not_made',
    message: 'Nothing was changed, because another call of this turn has invalid arguments. Send all calls again.',
  }),
  isError: true,
};

/**
 * The results of stored writes that no person was shown, because their tools were not offered when the turn was paused
 * (ai-surface OP-62).
 */
export function unshownWrites(
  { tools }: Pick<OperatorContext, 'tools'>,
  { uses, shown }: { readonly uses: readonly ToolUse[]; readonly shown: readonly number[] },
): ReadonlyMap<ToolUse, ToolOutcome> {
  const unshown = uses.filter(({ name }, index) => tools.isWrite(name) && !shown.includes(index));
  return new Map(unshown.map((use) => [use, notApproved]));
}

const notApproved: ToolOutcome = {
  text: JSON.stringify({
    error: 'not_approved',
    message:
      'Nothing was changed by this call, because it was not part of the approval. Send it again if it is needed.',
  }),
  isError: true,
};

/** Asks a person to approve calls that `plannedWrites` did not refuse, with every value of each (ai-surface OP-62). */
export function approvalQuestion(writes: readonly Pick<ToolUse, 'name' | 'input'>[]) {
  return {
    prompt: `The author wants to make these calls:\n${writes.map(shownCall).join('\n')}\nApprove them?`,
    schema: {
      type: 'object',
      properties: { approve: { type: 'boolean' }, note: { type: 'string', maxLength: 2_000 } },
      required: ['approve'],
      additionalProperties: false,
    },
  };
}

function shownCall({ name, input }: Pick<ToolUse, 'name' | 'input'>): string {
  const lines = shownArguments(objectIn(input))?.split('\n') ?? [];
  return [name, ...lines.filter((line) => line !== '').map((line) => `  ${line}`)].join('\n');
}
