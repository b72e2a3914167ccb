import {
  answer,
  type Caller,
  type Credits,
  type Graph,
  invalidInput,
  type KernelSettings,
  notFound,
  type OperationRuns,
  operationLinks,
  type RouteContext,
  type RunState,
  ServiceError,
  type Store,
  type TokenPrices,
} from '@pacioli/core';
import type { LanguageModel } from '@pacioli/core/ports';
import {
  type Capability,
  capabilities,
  expectedTokens,
  findOperator,
  modeOf,
  type Operator,
  type OperatorMode,
  type Selection,
  selectOperator,
} from '../catalog/index.ts';
import type { OperatorSettings } from '../config.ts';
import { hasModel, modelFor, noModel } from '../metered/index.ts';
import type { OperatorMetadataResponse } from '../models/OperatorMetadataResponse.ts';
import type { OperatorRequest } from '../models/OperatorRequest.ts';
import { acceptsScript, scriptOf } from '../offline/index.ts';
import { usedHistory } from '../prompts/index.ts';
import { listOperators, metadataOf } from './metadata.ts';
import { responseOf } from './response.ts';
import type { OperatorRunInput } from './run-input.ts';
import { untilEnded } from './until-ended.ts';

const maxSyncMs = 50_000;
const maxContextBytes = 64 * 1024;

/** The query parameter `mode`: `sync` waits for the answer (ai-surface OP-11). */
type ResponseMode = 'async' | 'auto' | 'stream' | 'sync' | null | undefined;

/** A request, after the check that its caller may run operators on the graph. */
interface Asked {
  readonly graph: Graph;
  readonly ctx: Pick<RouteContext, 'caller' | 'requestId' | 'signal' | 'serviceUrl' | 'header'>;
  readonly body: OperatorRequest;
  readonly responseMode: ResponseMode;
  /** The type of the operator, if the path names one. */
  readonly type: string | undefined;
}

interface RequestServices {
  readonly operators: readonly Operator[];
  readonly model: LanguageModel;
  readonly prices: TokenPrices;
  readonly credits: Credits;
  readonly runs: OperationRuns;
  readonly store: Store;
  readonly settings: KernelSettings;
  readonly config: OperatorSettings;
}

/** Lists operators and starts their runs, for the routes (ai-surface 7.2). */
export class OperatorRequests {
  readonly #use: RequestServices;

  constructor(use: RequestServices) {
    this.#use = use;
  }

  list(graph: Graph, capability: string | undefined): Readonly<Record<string, OperatorMetadataResponse>> {
    return listOperators(this.#use.operators, graph, capability);
  }

  /** Throws 404 if the graph has no such operator. */
  metadata(graph: Graph, type: string): OperatorMetadataResponse {
    const found = findOperator(this.#use.operators, graph, type);
    if (found === undefined) throw notFound(`Operator '${type.slice(0, 100)}' not found`);
    return metadataOf(found);
  }

  /** Throws 403 if operators are switched off. */
  requireEnabled(): void {
    if (this.#use.config.enabled) return;
    throw new ServiceError('forbidden', 'OPERATORS_DISABLED', 'Operator POST operations are currently disabled.');
  }

  /** Starts a run. Answers 200 with its result if it ends while the caller waits, else 202 with links to follow it. */
  async start(asked: Asked): Promise<unknown> {
    const { graph, ctx, body } = asked;
    const mode = body.force_extended_analysis === true ? 'extended' : (body.mode ?? 'standard');
    requireText(body);
    const context = contextOf(body);
    const selection = this.#select(asked, mode);
    const { operator } = selection;
    const usedMode = modeOf(operator, mode);
    this.#checkScript(context);
    const input: OperatorRunInput = {
      operator_type: operator.key,
      mode: usedMode,
      message: body.message,
      history: usedHistory(historyOf(body)).map((each) => ({ ...each })),
      context,
      is_retrieval_on: body.enable_rag !== false,
      ...(body.max_credits == null ? {} : { max_credits: body.max_credits }),
      service_url: ctx.serviceUrl,
      routing: routingOf(selection),
    };
    const name = operator.isReadOnly === true ? 'run-operator' : 'run-writing-operator';
    const { caller, requestId } = ctx;
    const { operationId } = await this.#use.runs.startRun({
      ...{ name, caller, graph, input, requestId },
      idempotencyKey: ctx.header('idempotency-key'),
      admit: () => this.requireAffordable(graph, caller, operator, usedMode),
    });
    const waitMs = asked.responseMode === 'sync' ? maxSyncMs : this.#graceMs(asked.responseMode);
    const state = await untilEnded(this.#use, operationId, { waitMs, signal: ctx.signal });
    return isOver(state)
      ? answer(200, responseOf(state, operationId, input))
      : answer(202, this.#accepted(operationId, name, state));
  }

  /**
   * Refuses a run without a model, and one that its pool cannot pay for; reserves nothing (ai-surface OP-41). A balance
   * that cannot be read refuses the run, too.
   */
  async requireAffordable(graph: Graph, caller: Caller, operator: Operator, mode: OperatorMode): Promise<void> {
    if (!operator.needsModel) return;
    const { model, credits, store } = this.#use;
    if (!hasModel(model)) throw noModel();
    const { name } = modelFor(model, operator.profile ?? 'balanced');
    const { input, output } = expectedTokens[mode];
    const coldStart = operator.coldStartTokens ?? 0;
    const estimate = {
      model: name,
      inputTokens: input + coldStart,
      outputTokens: output,
      ...(coldStart === 0 ? {} : { cacheWriteTokens: coldStart }),
    };
    const owner = credits.ownerOf(graph.id, caller.userId);
    await store.transaction('kernel', (tx) => credits.requireEnough(tx, owner, operator.name, estimate), {
      readOnly: true,
    });
  }

  /** The inline grace applies only to requests without `mode`, which do not say if they wait (ai-surface OP-12). */
  #graceMs(responseMode: ResponseMode): number {
    return responseMode == null ? this.#use.config.inlineGraceMs : 0;
  }

  #select({ graph, body, type }: Asked, mode: OperatorMode): Selection {
    const { operators } = this.#use;
    const criteria = body.selection_criteria ?? {};
    const requiredCapabilities = capabilitiesOf(criteria.required_capabilities ?? []);
    const wanted = type ?? body.operator_type ?? undefined;
    if (wanted !== undefined) {
      const operator = findOperator(operators, graph, wanted);
      if (operator === undefined) throw notFound(`Operator type '${wanted.slice(0, 100)}' not found`);
      return { operator, strategy: 'explicit', scores: {}, confidence: 1 };
    }
    const question = { query: body.message, mode };
    const selection = selectOperator(operators, graph, question, {
      minConfidence: criteria.min_confidence ?? 0.3,
      requiredCapabilities,
      preferredMode: criteria.preferred_mode ?? undefined,
      excluded: criteria.excluded_operators ?? [],
    });
    if (selection === undefined) throw notFound(`Operator type 'analyst' not found`);
    return selection;
  }

  #checkScript(context: Readonly<Record<string, unknown>>): void {
    if (scriptOf(context) !== undefined && !acceptsScript(this.#use.model)) {
      throw invalidInput('context.offline_script is accepted only while the provider of models is offline.');
    }
  }

  #accepted(operationId: string, name: string, state: RunState | undefined): Readonly<Record<string, unknown>> {
    const { stream, status, cancel } = operationLinks(this.#use.settings, operationId);
    return {
      operation_id: operationId,
      status: state?.status === 'awaiting_input' ? 'awaiting_input' : 'pending',
      operation_type: name,
      message: 'The operator was started. Follow the stream of the operation, or read its status until it has ended.',
      _links: { stream, status, cancel },
    };
  }
}

const isOver = (state: RunState | undefined): state is RunState =>
  state !== undefined && ['completed', 'failed', 'cancelled'].includes(state.status);

function historyOf({ history = [] }: OperatorRequest) {
  return history.map(({ role, content }) => ({
    role: role === 'assistant' ? ('assistant' as const) : ('user' as const),
    content,
  }));
}

function contextOf({ context }: OperatorRequest): Record<string, unknown> {
  const given = context ?? {};
  if (Buffer.byteLength(JSON.stringify(given)) > maxContextBytes)
    throw invalidInput(`The context has more than ${maxContextBytes} bytes as JSON. Send less.`);
  const { confirm } = given;
  // A value that only looks like true must not run writes that nobody approved (ai-surface OP-62).
  if (confirm !== undefined && typeof confirm !== 'boolean')
    throw invalidField(['context', 'confirm'], 'Expected true or false.', 'bool_type');
  return given;
}

function requireText({ message }: OperatorRequest): void {
  if (message.trim() === '') throw invalidField(['message'], 'Expected a text that is not blank.', 'string_too_short');
}

function invalidField(path: readonly string[], msg: string, type: string): ServiceError {
  const issues = [{ loc: ['body', ...path], msg, type }];
  return new ServiceError('invalid_input', 'INVALID_INPUT', `${path.join('.')}: ${msg}`, { issues });
}

function capabilitiesOf(given: readonly string[]): readonly Capability[] {
  const unknown = given.find((each) => !capabilities.some((known) => known === each));
  if (unknown !== undefined)
    throw invalidInput(`'${unknown.slice(0, 100)}' is no capability. Use one of ${capabilities.join(', ')}.`);
  return given as readonly Capability[]; // Each was found in the list.
}

function routingOf({ strategy, scores, confidence }: Selection): Record<string, unknown> {
  return {
    routing_strategy: strategy,
    used_fallback: strategy === 'fallback',
    ...(strategy === 'explicit' ? {} : { confidence_scores: scores, routing_confidence: confidence }),
  };
}
