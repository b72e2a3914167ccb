import {
  type ChargedCalls,
  type Credits,
  isServiceError,
  type Log,
  ServiceError,
  type TokenUsage,
  traceparentOf,
} from '@pacioli/core';
import {
  type LanguageModel,
  LanguageModelError,
  type ModelAnswer,
  type ModelProfile,
  type ModelRequest,
  type ModelUsage,
} from '@pacioli/core/ports';
import { estimatedTokens } from './estimate.ts';
import { modelFor } from './models.ts';

/** Separates the numbers of the model calls of two attempts, because a number is charged once (platform C-11). */
const maxCallsPerAttempt = 10_000;

/** The run that makes the calls, and the graph and user whose credits pay for them. */
interface RunFacts {
  readonly graphId: string;
  readonly userId: string;
  readonly operationId: string;
  readonly requestId: string;
  readonly attempt: number;
  /** The purpose in the list of credit transactions: the name of the operator. */
  readonly operationType: string;
}

/** The calls, credits and tokens that a run has used; stored with its state while it waits for a person. */
export interface Spent {
  readonly calls: number;
  /** The charged credits in hundredths. */
  readonly hundredths: number;
  readonly tokens: ModelUsage;
}

const nothing: Spent = {
  calls: 0,
  hundredths: 0,
  tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
};

type MeteredRequest = Pick<ModelRequest, 'system' | 'messages' | 'tools' | 'maxTokens'> & {
  readonly signal: AbortSignal;
};

/** Thrown when the provider did not answer (ai-surface OP-70); the call is not charged. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
}

/**
 * The model calls of one run, each reserved before and settled after it, so that runs in parallel cannot overspend one
 * balance (ai-surface OP-42).
 */
export class MeteredModel {
  readonly #model: LanguageModel;
  readonly #credits: Credits;
  readonly #facts: RunFacts;
  readonly #profile: ModelProfile;
  readonly #log: Log;
  #spent: Spent = nothing;
  #callsOfAttempt = 0;
  #isLatched = false;

  constructor(parts: {
    readonly model: LanguageModel;
    readonly credits: Credits;
    readonly facts: RunFacts;
    readonly profile: ModelProfile;
    readonly log: Log;
  }) {
    this.#model = parts.model;
    this.#credits = parts.credits;
    this.#facts = parts.facts;
    this.#profile = parts.profile;
    this.#log = parts.log;
  }

  /** True once a call could not be paid for: the run makes no further model call and no write (ai-surface OP-43). */
  get isLatched(): boolean {
    return this.#isLatched;
  }

  get spent(): Spent {
    return this.#spent;
  }

  /** Continues the count of earlier attempts, when a run resumes or is repeated. */
  restore(spent: Spent): void {
    this.#spent = spent;
  }

  /**
   * Makes one call. Throws 402 `INSUFFICIENT_CREDITS` if the pool has less than its estimate, and `ProviderFailure` if
   * the provider did not answer.
   */
  async call({ signal, ...request }: MeteredRequest): Promise<ModelAnswer> {
    if (this.#isLatched) throw new Error('No model call is made after one that could not be paid for.');
    const { name } = modelFor(this.#model, this.#profile);
    const { operationId, operationType, userId, requestId, graphId, attempt } = this.#facts;
    const owner = this.#credits.ownerOf(graphId, userId);
    const callIndex = attempt * maxCallsPerAttempt + this.#callsOfAttempt;
    this.#callsOfAttempt += 1;
    const call = { operationId, callIndex, operationType, userId, requestId };
    const estimate = { model: name, inputTokens: estimatedTokens(request), outputTokens: request.maxTokens };
    await this.#credits.reserve(owner, call, estimate).catch((error: unknown) => {
      if (isServiceError(error) && error.code === 'INSUFFICIENT_CREDITS') this.#isLatched = true;
      throw error;
    });
    const traceparent = traceparentOf(requestId);
    const answer = await this.#model
      .createMessage({ ...request, model: name, signal, ...(traceparent === undefined ? {} : { traceparent }) })
      .catch(async (error: unknown) => {
        await this.#credits.release(call);
        throw error instanceof LanguageModelError ? new ProviderFailure(error.message, { cause: error }) : error;
      });
    if (answer.isUsageEstimated === true)
      this.#log.warn('the provider did not report all tokens of a model call, so they are estimated', {
        provider: this.#model.id,
        model: name,
        operationId,
      });
    await this.#settle(owner, call, usageOf(name, answer.usage));
    this.#count(answer.usage);
    return answer;
  }

  /** Charges for an answer. A failure to charge latches the run and is not thrown, so that the answer is not lost. */
  async #settle(
    owner: ReturnType<Credits['ownerOf']>,
    call: Parameters<Credits['settle']>[1],
    usage: TokenUsage,
  ): Promise<void> {
    try {
      const charge = await this.#credits.settle(owner, call, usage);
      this.#spent = { ...this.#spent, hundredths: this.#spent.hundredths + charge.charged_hundredths };
      this.#isLatched = charge.isExhausted;
    } catch (error) {
      this.#isLatched = true;
      this.#log.error('a model call could not be charged', { operationId: call.operationId, error });
    }
  }

  #count(usage: ModelUsage): void {
    const { tokens } = this.#spent;
    this.#spent = {
      ...this.#spent,
      calls: this.#spent.calls + 1,
      tokens: {
        input: tokens.input + usage.input,
        output: tokens.output + usage.output,
        cacheRead: tokens.cacheRead + usage.cacheRead,
        cacheWrite: tokens.cacheWrite + usage.cacheWrite,
      },
    };
  }
}

/** The charged use of a run so far, over all its attempts. */
export function spentOn({ calls, hundredths, inputTokens, outputTokens, ...cache }: ChargedCalls): Spent {
  const { cachedInputTokens: cacheRead, cacheWriteTokens: cacheWrite } = cache;
  const input = inputTokens - cacheRead - cacheWrite;
  return { calls, hundredths, tokens: { input, output: outputTokens, cacheRead, cacheWrite } };
}

/** Converts the tokens to those of the price list, which counts tokens read from or stored in the cache as input. */
function usageOf(model: string, usage: ModelUsage): TokenUsage {
  return {
    model,
    inputTokens: usage.input + usage.cacheRead + usage.cacheWrite,
    outputTokens: usage.output,
    ...(usage.cacheRead === 0 ? {} : { cachedInputTokens: usage.cacheRead }),
    ...(usage.cacheWrite === 0 ? {} : { cacheWriteTokens: usage.cacheWrite }),
  };
}

/** The refusal of an operator that needs a model in a deployment without one. */
export function noModel(): ServiceError {
  return new ServiceError('unavailable', 'NO_LANGUAGE_MODEL', 'No language model is configured.');
}
