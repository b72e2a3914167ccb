import type { Graph } from '../define/context.ts';
import type { Kernel } from '../envelope/kernel.ts';
import type { OperationRuns } from '../envelope/operation-runs.ts';
import { ServiceError } from '../errors/service-error.ts';
import { toServiceError, validationFailure } from '../errors/to-wire.ts';
import type { MountedQuery } from '../graphql/compose.ts';
import type { Operations } from '../jobs/operations.ts';
import type { Clock, Domains } from '../services/kernel-tokens.ts';
import { type AssembledTool, assembleTools, type CatalogEndpoint, type MountedTool } from './assembled-tools.ts';
import { isAvailable, viewpointOf } from './availability.ts';
import { CallDeadline } from './call-deadline.ts';
import { type CheckedCall, callPart } from './call-tool.ts';
import type { ListedTool, ToolCall, ToolCatalog, ToolResult, ToolScope } from './catalog.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { maskedPath } from './masked-values.ts';
import { errorResult, isOutage, plainRefusal, resultOfError } from './results.ts';
import { ToolLists } from './tool-lists.ts';

/** The longest call of a tool, and of one that is long (ai-surface 5.4). */
const callSeconds = 60;
const longCallSeconds = 300;

/** The pipeline and the parts of a deployment, known once it is assembled. */
export interface ToolSet {
  readonly kernel: Kernel;
  readonly endpoints: readonly CatalogEndpoint[];
  readonly tools: readonly MountedTool[];
  readonly queries: readonly MountedQuery[];
}

interface CatalogServices {
  readonly operations: Operations;
  readonly runs: OperationRuns;
  readonly domains: Domains;
  readonly clock: Clock;
}

/** The tools of a deployment, assembled on first use. */
export class AssembledCatalog implements ToolCatalog {
  readonly #set: () => ToolSet;
  readonly #use: CatalogServices;
  readonly #breaker: CircuitBreaker;
  readonly #lists = new ToolLists();
  #tools: ReadonlyMap<string, AssembledTool> | undefined;

  constructor(set: () => ToolSet, use: CatalogServices) {
    this.#set = set;
    this.#use = use;
    this.#breaker = new CircuitBreaker(use.clock);
  }

  async list(scope: ToolScope): Promise<readonly ListedTool[]> {
    const { kernel } = this.#set();
    const graph = await kernel.access.enterGraph(scope.caller, scope.graphId);
    return this.#lists.list(this.#all().values(), viewpointOf(scope.caller, graph, this.#profileOf(scope)));
  }

  problemOf(call: Pick<ToolCall, 'name' | 'arguments'>): ToolResult | undefined {
    const tool = this.#all().get(call.name);
    if (tool === undefined) return undefined;
    try {
      inputOf(this.#set().kernel, tool, call.arguments);
      return undefined;
    } catch (error) {
      return resultOfError(error);
    }
  }

  async call(call: ToolCall): Promise<ToolResult> {
    const started = performance.now();
    const result = await this.#admitted(call);
    const outcome = result.isError ? 'error' : 'success';
    const tool = this.#all().get(call.name)?.listed.name ?? 'unknown';
    this.#set().kernel.metrics.toolCalled(tool, outcome, performance.now() - started);
    return result;
  }

  async #admitted(call: ToolCall): Promise<ToolResult> {
    const { kernel } = this.#set();
    try {
      const graph = await kernel.access.enterGraph(call.caller, call.graphId);
      const tool = this.#all().get(call.name);
      if (tool === undefined || !isAvailable(tool, viewpointOf(call.caller, graph, this.#profileOf(call))))
        return plainRefusal('not_available', `Tool '${call.name}' is not available on this connection.`);
      const { writeBlock: _block, ...unblocked } = graph;
      const needed = tool.listed.effect !== 'read' && tool.role === 'viewer' ? 'member' : tool.role;
      kernel.access.requireRole(call.caller, tool.isAllowedWhileBlocked ? unblocked : graph, needed);
      return await this.#guarded(tool, graph, call);
    } catch (error) {
      return resultOfError(error);
    }
  }

  /** Calls a tool unless its circuit is open, within its time limit. */
  async #guarded(tool: AssembledTool, graph: Graph, call: ToolCall): Promise<ToolResult> {
    const { kernel } = this.#set();
    const key = `${graph.id} ${tool.listed.name}`;
    const given = inputOf(kernel, tool, call.arguments);
    const seconds = this.#breaker.secondsClosed(key);
    if (seconds !== undefined)
      return plainRefusal('unavailable', `Tool temporarily unavailable, retry in ${seconds} s.`);
    const limit = tool.listed.isLong ? longCallSeconds : callSeconds;
    const deadline = new CallDeadline(call.signal, limit * 1000);
    const signal = tool.listed.startsRun ? call.signal : deadline.end;
    const requestId = call.requestId ?? kernel.ids.make('req');
    try {
      const checked = { ...given, tool, graph, caller: call.caller, requestId, signal, deadline, call };
      const result = await within(signal, callPart(kernel, this.#use, checked));
      this.#breaker.noteSuccess(key);
      return result;
    } catch (error) {
      if (call.signal.aborted) return errorResult('cancelled', 'The call was canceled.');
      if (deadline.isReached || isOutage(error)) this.#breaker.noteFailure(key);
      else this.#breaker.noteSuccess(key);
      if (deadline.isReached) return overdue(tool, limit);
      if (isUnexpected(error)) kernel.log.error('a tool failed', { tool: tool.listed.name, requestId, error });
      return resultOfError(error);
    } finally {
      deadline.stop();
    }
  }

  #all(): ReadonlyMap<string, AssembledTool> {
    this.#tools ??= assembleTools(this.#set());
    return this.#tools;
  }

  /** The neutral name of the domain of a profile; one that no plugin has leaves nothing in the list. */
  #profileOf({ profile }: ToolScope): string | undefined {
    return profile === undefined ? undefined : (this.#use.domains.resolve(profile) ?? profile);
  }
}

/** Names the arguments, because those of two tools for one thing may differ. */
function extraInput({ form: { names } }: AssembledTool): string {
  const known = names.size === 0 ? 'The tool takes no arguments' : `The arguments are: ${[...names].join(', ')}`;
  return `Extra inputs are not permitted. ${known}`;
}

const maskedValue =
  'This value was masked in a result and would replace the true one. Leave the field out to keep what is stored';

/** Throws for arguments that the tool does not take; the graph is never one of them (ai-surface M-32). */
function inputOf(kernel: Kernel, tool: AssembledTool, given: unknown): Pick<CheckedCall, 'input' | 'params'> {
  const named = given ?? {};
  if (typeof named !== 'object' || Array.isArray(named))
    throw new ServiceError('invalid_input', 'INVALID_INPUT', 'arguments: Expected an object.');
  if ('graph_id' in named)
    throw new ServiceError(
      'invalid_input',
      'INVALID_INPUT',
      'graph_id is not an argument: the graph is that of this connection. Call the tool without it.',
    );
  const unknown = Object.keys(named).filter((name) => !tool.form.names.has(name));
  if (unknown.length > 0)
    throw validationFailure(
      unknown.map((name) => ({ loc: ['body', name], msg: extraInput(tool), type: 'extra_forbidden' })),
    );
  const mask = maskedPath(named);
  if (mask !== undefined) throw validationFailure([{ loc: ['body', ...mask], msg: maskedValue, type: 'masked_value' }]);
  const values = named as Readonly<Record<string, unknown>>;
  const params: Record<string, string> = {};
  for (const name of tool.pathParameters) {
    const value = values[name];
    if (typeof value !== 'string' || value === '')
      throw validationFailure([{ loc: ['body', name], msg: 'Field required', type: 'missing' }]);
    params[name] = value;
  }
  const checked = kernel.validator.check(tool.input, structuredClone(tool.form.toInput(values)), 'body');
  if (!checked.ok) throw validationFailure(checked.issues);
  return { input: checked.value, params };
}

/** Rejects as soon as the signal ends, although the work may take until its next check of it. */
function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

function isUnexpected(error: unknown): boolean {
  return toServiceError(error).kind === 'internal';
}

function overdue({ listed }: AssembledTool, seconds: number): ToolResult {
  const advice =
    listed.effect === 'read' ? 'Narrow the request.' : 'The change may still complete; look before you repeat it.';
  return errorResult('timeout', `The tool did not answer within ${seconds} seconds. ${advice}`);
}
