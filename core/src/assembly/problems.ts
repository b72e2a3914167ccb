import type { Provider } from '../container/provider.ts';
import type { Plugin } from '../define/plugin.ts';
import { longestCost, pricedField } from '../graphql/cost.ts';
import { documentLimits } from '../graphql/limits.ts';
import type { KernelSettings } from '../settings/kernel-settings.ts';
import { conflictingProperties, wrongRelationships } from './analytical-problems.ts';
import { wrongCommands } from './command-problems.ts';
import { wrongConfigurations } from './config-problems.ts';
import type { Aliases } from './endpoints.ts';
import { wrongFields } from './field-problems.ts';
import { conflictingModels } from './model-problems.ts';
import { duplicateNames, malformedNames, undeclaredEvents, wrongAliases, wrongTableNames } from './name-problems.ts';
import { sharedPaths } from './path-problems.ts';
import { foldProblems, missingDependency, type Problem, wrongKernelOf } from './problem.ts';
import { wrongArguments } from './query-problems.ts';
import { overriddenParts, wrongOrder, wrongServices } from './service-problems.ts';
import { sortPlugins } from './sort-plugins.ts';
import { undecidedTools } from './tool-problems.ts';
import { isInRange, isRange } from './versions.ts';

/** A set of plugins or options that cannot be assembled, with all reasons. */
export class AssemblyError extends Error {
  /** Each with the problems that follow from it on lines of their own. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`This set of plugins cannot be assembled:\n${problems.map((problem) => `- ${problem}`).join('\n')}`);
    this.name = 'AssemblyError';
    this.problems = problems;
  }
}

export interface ProblemOptions {
  readonly kernelVersion: string;
  /** Names of plugins whose kernel range the host waives. */
  readonly waived: ReadonlySet<string>;
  /** Tokens that the host itself provides or overrides. */
  readonly given: readonly Provider[];
  readonly aliases: Aliases;
  readonly hostCommands: ReadonlySet<string>;
  readonly settings: KernelSettings;
  readonly override: readonly Provider[];
}

/** Finds all problems of a set. Pure: starts nothing. */
export function findProblems(set: readonly Plugin[], options: ProblemOptions): readonly string[] {
  const plugins = set.filter((plugin, index) => set.findIndex(({ name }) => name === plugin.name) === index);
  return foldProblems([
    ...repeatedPlugins(set),
    ...malformedNames(plugins, options.aliases),
    ...wrongTableNames(plugins),
    ...wrongKernel(plugins, options),
    ...wrongDependencies(plugins),
    ...wrongConfigurations(plugins),
    ...wrongAliases(plugins, options.aliases),
    ...duplicateNames(plugins),
    ...sharedPaths(plugins, options.aliases, options.settings),
    ...undeclaredEvents(plugins),
    ...wrongServices(plugins, options.given),
    ...wrongOrder(plugins),
    ...overriddenParts(plugins, options.override),
    ...undecidedTools(plugins),
    ...conflictingModels(plugins),
    ...tooExpensiveQueries(plugins),
    ...wrongArguments(plugins),
    ...wrongFields(plugins),
    ...wrongRelationships(plugins),
    ...conflictingProperties(plugins),
    ...wrongCommands(plugins, options.hostCommands),
  ]);
}

/** Two plugins of one name contribute everything twice, so only the first is checked further. */
function repeatedPlugins(set: readonly Plugin[]): readonly Problem[] {
  const names = set.map(({ name }) => name);
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))].map((name) => ({
    text: `plugin "${name}" is in the list twice; only the first is checked further`,
  }));
}

/** Finds queries whose longest page alone exceeds the cost limit, so that no request could read it (platform E-24). */
function tooExpensiveQueries(plugins: readonly Plugin[]): readonly Problem[] {
  const { maxCost } = documentLimits;
  return plugins
    .flatMap((plugin) => plugin.queries)
    .map((query) => ({ name: query.name, points: longestCost(pricedField(query)) }))
    .filter(({ points }) => points > maxCost)
    .map(({ name, points }) => ({
      text: `the longest page of query "${name}" costs ${points} points, and a request may cost ${maxCost}`,
    }));
}

/** Finds plugins that were not made for this kernel (platform X-7). */
function wrongKernel(plugins: readonly Plugin[], { waived, kernelVersion }: ProblemOptions): readonly Problem[] {
  return plugins
    .filter(({ name, kernel }) => !waived.has(name) && !isInRange(kernelVersion, kernel))
    .map((plugin) => ({
      text: isRange(plugin.kernel)
        ? `${plugin.name} was made for kernel ${plugin.kernel}, this is ${kernelVersion}`
        : `${plugin.name} states the kernel range "${plugin.kernel}", which is not a semver range, such as "^1.2.0"`,
      id: wrongKernelOf(plugin),
    }));
}

function wrongDependencies(plugins: readonly Plugin[]): readonly Problem[] {
  const names = new Set(plugins.map((plugin) => plugin.name));
  const missing = plugins.flatMap((plugin) =>
    plugin.dependsOn
      .filter((name) => !names.has(name))
      .map((name) => ({
        text: `${plugin.name} needs the plugin "${name}", which is not enabled`,
        id: missingDependency(plugin, name),
      })),
  );
  const { unsorted } = missing.length > 0 ? { unsorted: [] } : sortPlugins(plugins);
  return unsorted.length === 0
    ? missing
    : [...missing, { text: `these plugins depend on each other in a cycle: ${unsorted.join(', ')}` }];
}
