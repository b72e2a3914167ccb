import type { Plugin } from '../define/plugin.ts';

/** A reason why a set cannot be assembled. */
export interface Problem {
  readonly text: string;
  /** Names the problem for those that follow from it. */
  readonly id?: string;
  /** The ids of the problems that would explain this one. */
  readonly follows?: readonly string[];
}

/** The longest list of problems below the one that they follow from. */
const maxFollowing = 3;

/** Folds problems under the ones that they follow from, so that a cause is not lost among its consequences. */
export function foldProblems(problems: readonly Problem[]): readonly string[] {
  const byId = new Map(
    problems.flatMap((problem) => (problem.id === undefined ? [] : [[problem.id, problem] as const])),
  );
  const following = new Map<Problem, string[]>();
  for (const problem of problems) {
    const cause = causeOf(problem, byId);
    if (cause === problem) following.set(problem, following.get(problem) ?? []);
    else following.set(cause, [...(following.get(cause) ?? []), problem.text]);
  }
  return problems
    .filter((problem) => causeOf(problem, byId) === problem)
    .map((problem) => {
      const below = following.get(problem) ?? [];
      const rest = below.length - maxFollowing;
      const shown = rest > 0 ? [...below.slice(0, maxFollowing), `and ${rest} more`] : below;
      return [problem.text, ...shown.map((text) => `  - ${text}`)].join('\n');
    });
}

/** Follows a problem to its first cause. An id names a problem of an earlier kind, so there is no cycle. */
function causeOf(problem: Problem, byId: ReadonlyMap<string, Problem>): Problem {
  const id = problem.follows?.find((each) => byId.has(each) && byId.get(each) !== problem);
  const cause = id === undefined ? undefined : byId.get(id);
  return cause === undefined ? problem : causeOf(cause, byId);
}

/** Explains a value that is undefined although its module exports it. */
export const circularImport = 'modules that import each other are one cause';

/** The id of the problem of a plugin that depends on one that is not enabled. */
export const missingDependency = (plugin: Plugin, name: string): string => `${plugin.name} needs ${name}`;

/** The id of the problem of a plugin that was made for another kernel. */
export const wrongKernelOf = (plugin: Plugin): string => `kernel of ${plugin.name}`;

/** The id of the problem of a name that two domains have. */
export const domainId = (domain: string | undefined): string => `domain "${domain ?? 'graph'}"`;

/** The id of the problem of two operations or views with one name, which is also their name in messages. */
export const operationId = (domain: string | undefined, name: string): string =>
  `operation "${domain ?? 'graph'}/${name}"`;
