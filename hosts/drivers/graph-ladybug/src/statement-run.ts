import { GraphStoreError, type QueryParameters, type RowStream, type RunOptions } from '@pacioli/core/ports';
import { type NamedStatement, nameColumns, withDeadline } from '@pacioli/graph-statements';
import type { EngineProcess } from './engine-process.ts';
import type { Settings } from './options.ts';
import { bindable } from './parameters.ts';
import { type Calls, isNested, type Rerun, type StartedRun } from './protocol.ts';
import { ResultStream } from './result-stream.ts';

/** The engine stops on time except while it builds lists; callers wait at most this much longer. */
export const graceMs = 1_000;

/** Without rows there is nothing to wait for longer (graphs Q-33). */
const maxAnalysisMs = 5_000;

const used = (text: string, parameters: QueryParameters): QueryParameters =>
  // The engine ignores unused parameters, so one whose name is only in a comment or literal is harmless.
  Object.fromEntries(Object.entries(parameters).filter(([name]) => new RegExp(`\\$${name}\\b`).test(text)));

/** Throws for a parameter that is used but not given, because the engine would silently treat it as null. */
function requireGiven(text: string, parameters: QueryParameters): void {
  for (const [, name = ''] of text.matchAll(/\$([A-Za-z_]\w*)/g)) {
    if (!Object.hasOwn(parameters, name))
      throw new GraphStoreError('parameter', `The parameter $${name} was not given.`);
  }
}

/** The parameters that a statement uses, in a form that the engine binds unchanged. */
export function checkedParameters(masked: string, parameters: QueryParameters): QueryParameters {
  requireGiven(masked, parameters);
  return bindable(used(masked, parameters));
}

/** Starts one read statement on a worker and returns its rows, exact to the last digit. */
export async function startStatement(
  worker: EngineProcess,
  settings: Settings,
  masked: string,
  text: string,
  parameters: QueryParameters,
  options: RunOptions,
): Promise<RowStream> {
  const bound = checkedParameters(masked, parameters);
  if (options.signal.aborted) throw new GraphStoreError('cancelled', 'The query was canceled.');
  if (worker.running >= settings.maxStatementsPerDatabase) {
    throw new GraphStoreError('unavailable', 'Too many queries are running on this graph: retry in a moment.');
  }
  worker.running += 1;
  try {
    const statement = nameColumns(text);
    const run = await runExactly(worker, settings, statement, bound, options);
    const release = (): void => {
      worker.running -= 1;
    };
    const columns = statement.names ?? run.names;
    return new ResultStream({ worker, run, columns, options, maxIdleMs: settings.maxStreamIdleMs, release });
  } catch (error) {
    worker.running -= 1;
    throw error;
  }
}

async function runExactly(
  worker: EngineProcess,
  settings: Settings,
  statement: NamedStatement,
  parameters: QueryParameters,
  options: RunOptions,
): Promise<StartedRun> {
  const deadline = Date.now() + options.timeoutMs;
  const firstRows = Math.min(options.maxRows, options.rowsPerChunk);
  const ask = (text: string, rerun: Rerun): Promise<StartedRun> =>
    started(
      worker,
      settings,
      { text, parameters, timeoutMs: Math.max(1, deadline - Date.now()), firstRows, ...rerun },
      options.signal,
    );
  const first = await ask(statement.text, firstRun);
  if (first.inexact.length === 0) return first;
  await worker.call('end', { stream: first.stream });
  const rerun = rerunOf(first);
  const text = statement.withText(Object.keys(rerun.casts).map(Number), rerun.texts);
  if (text === undefined) {
    throw new GraphStoreError('runtime', `These columns would lose digits, so ${inReturn(first)}`);
  }
  return ask(text, rerun);
}

export const firstRun: Rerun = { casts: {}, texts: [] };

/** How a statement runs again whose columns would lose digits. */
export function rerunOf({ inexact, types }: Pick<StartedRun, 'inexact' | 'types'>): Rerun {
  const typeOf = (index: number): string => types[index] ?? 'STRING';
  return {
    casts: Object.fromEntries(
      inexact.filter((index) => !isNested(typeOf(index))).map((index) => [index, typeOf(index)]),
    ),
    texts: inexact.filter((index) => isNested(typeOf(index))),
  };
}

/** The remedy for a statement that cannot be rewritten. */
export function inReturn({ inexact, names }: Pick<StartedRun, 'inexact' | 'names'>): string {
  return `name them in RETURN one by one: ${inexact.map((index) => names[index]).join(', ')}.`;
}

/** A statement that is late or canceled continues in its worker; one that fails leaves nothing running. */
function started(
  worker: EngineProcess,
  settings: Settings,
  ask: Calls['run']['ask'],
  signal: AbortSignal,
): Promise<StartedRun> {
  const running = worker.run(ask);
  const end = () => running.then((run) => worker.call('end', { stream: run.stream }));
  return withDeadline(running, { timeoutMs: ask.timeoutMs, graceMs, signal }, () => abandon(worker, settings, end()));
}

/** Parses and binds a statement; the engine computes constants for it, which can take as long as running it. */
export function analyzeStatement(worker: EngineProcess, settings: Settings, text: string) {
  const analysis = worker.call('analyze', { text });
  const limits = { timeoutMs: maxAnalysisMs, signal: new AbortController().signal };
  return withDeadline(analysis, limits, () => abandon(worker, settings, analysis));
}

/** An abandoned statement keeps its slot until it ends; a worker without free slots is recycled (graphs C-6). */
function abandon(worker: EngineProcess, settings: Settings, ended: Promise<unknown>): void {
  worker.running += 1;
  worker.abandoned += 1;
  const settle = (): void => {
    worker.running -= 1;
    worker.abandoned -= 1;
  };
  ended.then(settle, settle);
  if (worker.abandoned >= settings.maxStatementsPerDatabase) {
    worker.kill(new GraphStoreError('unavailable', 'The graph engine was restarted; retry the query.'));
  }
}
