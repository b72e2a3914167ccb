import { characterCount } from '@pacioli/core';
import type { OperatorContext } from '../catalog/index.ts';
import { objectIn, type ToolOutcome } from '../tools/index.ts';
import { maxCallsPerTurn, type ToolUse } from './decisions.ts';

/** The most characters of one argument that a question shows. */
const maxShown = 500;

/** The writes of a turn that needs an approval, and the results of those that are refused before a person sees them. */
interface PlannedWrites {
  readonly writes: readonly ToolUse[];
  readonly refused: ReadonlyMap<ToolUse, ToolOutcome>;
}

export const noWrites: PlannedWrites = { writes: [], refused: new Map() };

/**
 * The writes that a turn would make. If the arguments of one do not fit its tool, all are refused, so that a person
 * decides about the whole change after the model has corrected it (ai-surface OP-62).
 */
export function plannedWrites({ tools }: Pick<OperatorContext, 'tools'>, uses: readonly ToolUse[]): PlannedWrites {
  const writes = uses.slice(0, maxCallsPerTurn).filter(({ name }) => tools.isWrite(name));
  const problems = new Map(writes.map((use) => [use, tools.problemOf(use)]));
  const hasProblem = [...problems.values()].some((problem) => problem !== undefined);
  const refused = hasProblem ? new Map(writes.map((use) => [use, problems.get(use) ?? notMade])) : noWrites.refused;
  return { writes, refused };
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

/** Asks a person to approve calls, with every argument of each (ai-surface OP-62). */
export function approvalQuestion(writes: readonly Pick<ToolUse, 'name' | 'input'>[]) {
  const calls = writes.map(({ name, input }) => `${name} ${shownArguments(input)}`);
  return {
    prompt: `The author wants to make these calls:\n${calls.join('\n')}\nApprove them?`,
    schema: {
      type: 'object',
      properties: { approve: { type: 'boolean' }, note: { type: 'string', maxLength: 2_000 } },
      required: ['approve'],
      additionalProperties: false,
    },
  };
}

/** Shows the arguments shortest first, because short ones name what is changed and long texts would hide them. */
function shownArguments(input: unknown): string {
  const values = Object.entries(objectIn(input)).map(([name, value]) => ({ name, json: plainJson(value) }));
  const byLength = values.toSorted((a, b) => a.json.length - b.json.length);
  return `{${byLength.map(({ name, json }) => `${plainJson(name)}:${shortened(json)}`).join(',')}}`;
}

function shortened(json: string): string {
  const count = characterCount(json);
  if (count <= maxShown) return json;
  return `${Array.from(json).slice(0, maxShown).join('')}… (${count.toLocaleString('en-US')} characters)`;
}

/** JSON in which invisible characters, which could reorder or hide the text around them, are escaped. */
function plainJson(value: unknown): string {
  return JSON.stringify(value ?? null).replace(/[\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) =>
    Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );
}
