import type { ToolGate } from '../define/tool.ts';
import { parseBody } from '../envelope/json-body.ts';
import { isServiceError } from '../errors/service-error.ts';
import { terminalStates } from '../jobs/events.ts';
import type { OperationRow, Operations } from '../jobs/operations.ts';
import { messageOf } from '../jobs/run-message.ts';
import type { ShortLivedRun } from '../jobs/short-lived-runs.ts';
import type { KernelSettings } from '../settings/kernel-settings.ts';
import type { ToolSet } from './assembled-catalog.ts';
import type { ToolScope } from './catalog.ts';
import { endOf, progressOf } from './follow-run.ts';
import type { ToolQuestion, ToolRun, ToolRuns } from './tool-run.ts';

interface RunServices {
  readonly operations: Operations;
  readonly settings: Pick<KernelSettings, 'operations'>;
  readonly shortLived: readonly ShortLivedRun[];
}

/** The facts about a tool whose calls start runs. */
interface StartingTool {
  readonly gate: ToolGate;
  /** The results of the tool have a declared schema. */
  readonly isStructured: boolean;
}

/** Reads and changes runs in the store, so that any process answers for any run. */
export class StoredToolRuns implements ToolRuns {
  readonly #set: () => Pick<ToolSet, 'endpoints' | 'tools'>;
  readonly #use: RunServices;
  #tools: ReadonlyMap<string, StartingTool> | undefined;

  constructor(set: () => Pick<ToolSet, 'endpoints' | 'tools'>, use: RunServices) {
    this.#set = set;
    this.#use = use;
  }

  async find(scope: ToolScope, operationId: string): Promise<ToolRun | undefined> {
    const row = await this.#rowOf(scope, operationId);
    return row === undefined ? undefined : this.#runOf(row);
  }

  async cancel(scope: ToolScope, operationId: string): Promise<ToolRun | undefined> {
    const row = await this.#rowOf(scope, operationId);
    if (row === undefined) return undefined;
    if (!terminalStates.has(row.status))
      await unlessOvertaken(this.#use.operations.cancel(scope.caller, row.id, 'user_cancelled'));
    return this.#runOf(row);
  }

  async answer(
    scope: ToolScope,
    operationId: string,
    { questionId, input }: { readonly questionId: string; readonly input: unknown },
  ): Promise<ToolRun | undefined> {
    const row = await this.#rowOf(scope, operationId);
    if (row === undefined) return undefined;
    if (row.status === 'awaiting_input' && questionOf(row).id === questionId) {
      // Refuses what cannot be stored, as the body of a request would be (platform E-6).
      const storable = parseBody(JSON.stringify(input ?? {}));
      await unlessOvertaken(this.#use.operations.resume(scope.caller, row.id, storable, row.attempt));
    }
    return this.#runOf(row);
  }

  /** The rights are those of the routes of operations; in addition, the run is of this graph and this user's own call. */
  async #rowOf({ caller, graphId, profile }: ToolScope, operationId: string): Promise<OperationRow | undefined> {
    const row = await this.#use.operations.find(caller, operationId, 'read').catch(hidden);
    if (row === undefined || row.graph_id !== graphId) return undefined;
    if (row.user_id !== caller.userId && !row.joined_by.includes(caller.userId)) return undefined;
    const tool = this.#toolOf(row.name);
    if (tool === undefined) return undefined;
    return profile !== undefined && tool.gate.isAdministration === true ? undefined : row;
  }

  /** The tool that starts runs of this name, if one does: operations that run on a worker, and reads that may wait. */
  #toolOf(runName: string): StartingTool | undefined {
    this.#tools ??= startingTools(this.#set());
    return this.#tools.get(runName);
  }

  async #runOf(row: OperationRow): Promise<ToolRun> {
    const { operations } = this.#use;
    const isOpen = row.status === 'pending' || row.status === 'running';
    const { message, percent } = isOpen
      ? await progressOf(operations, row)
      : { message: messageOf(row), percent: undefined };
    const hasResult = row.status === 'completed' || row.status === 'failed';
    const { isStructured = false } = this.#toolOf(row.name) ?? {};
    return {
      operationId: row.id,
      status: row.status as ToolRun['status'], // The states of platform 11.1.
      message,
      ...(percent === undefined ? {} : { percent }),
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      keptMs: row.updated_at.getTime() - row.created_at.getTime() + this.#retentionMs(row.name),
      ...(row.status === 'awaiting_input' ? { question: questionOf(row) } : {}),
      ...(hasResult ? { result: { ...endOf(row, { isStructured }), operationId: row.id } } : {}),
      ...(row.status === 'failed' && !isDeclared(row) ? { isServiceFailure: true } : {}),
    };
  }

  /** How long a run is kept after its end, which is the last change of its record (platform L-20). */
  #retentionMs(name: string): number {
    const shortLived = this.#use.shortLived.find((each) => each.name === name);
    return shortLived === undefined
      ? this.#use.settings.operations.retentionDays * 86_400_000
      : shortLived.keptSeconds * 1_000;
  }
}

function startingTools({ endpoints, tools }: Pick<ToolSet, 'endpoints' | 'tools'>): ReadonlyMap<string, StartingTool> {
  const found = new Map<string, StartingTool>();
  for (const endpoint of endpoints) {
    if (endpoint.kind !== 'operation') continue;
    const { name, runs, mcp } = endpoint.mounted.operation;
    if (runs !== 'worker' || mcp === undefined || 'held' in mcp) continue;
    found.set(name, { gate: mcp.gate ?? {}, isStructured: false });
  }
  for (const { tool } of tools) {
    const { name, mayStartRun, gate = {}, output } = tool;
    if (mayStartRun === true) found.set(name, { gate, isStructured: output !== undefined });
  }
  return found;
}

/** Every pickup of a run has a new number, so the number identifies the question that was asked in it (platform L-10a). */
function questionOf({ attempt, input_request: request }: OperationRow): ToolQuestion {
  const { prompt, schema } = request ?? {};
  const hasSchema = typeof schema === 'object' && schema !== null;
  return {
    id: `question-${attempt}`,
    prompt: typeof prompt === 'string' ? prompt : 'The operation waits for input.',
    ...(hasSchema ? { schema: { ...schema } } : {}),
  };
}

/** A failure that the operation declares has a code (platform L-15). */
function isDeclared({ error_details: details }: OperationRow): boolean {
  return typeof details?.['code'] === 'string';
}

/** An id that is malformed, unknown, expired or another user's has no run. */
function hidden(error: unknown): undefined {
  if (isServiceError(error) && ['invalid_input', 'not_found', 'forbidden'].includes(error.kind)) return undefined;
  throw error;
}

/** The run may have ended, or another answer may have come, between the read and the change. */
async function unlessOvertaken(change: Promise<unknown>): Promise<void> {
  await change.catch((error: unknown) => {
    if (!isServiceError(error) || error.code !== 'INVALID_STATE') throw error;
  });
}
