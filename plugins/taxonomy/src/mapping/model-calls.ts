import {
  type CallKey,
  type Credits,
  isServiceError,
  type Log,
  type TokenUsage,
  type Transaction,
  traceparentOf,
} from '@pacioli/core';
import type { Candidate } from '../checks/index.ts';
import type { UnmappedRow } from '../models/rows.ts';
import type { Proposal } from './auto-map-outcome.ts';
import type { AutoMapWork } from './auto-map-work.ts';
import type { MappingModel, ModelAnswer, ModelPrompt } from './mapping-model.ts';
import { acceptedProposals, readModelAnswer } from './model-answer.ts';
import { estimatedTokens, mappingPrompt } from './model-prompt.ts';

/** Calls of earlier attempts are already paid; the call numbers of each attempt start above them (platform C-11). */
const maxCallsPerAttempt = 10_000;

/** The operation name in the list of credit transactions (taxonomy AM-2). */
const operationType = 'CoA to US GAAP mapping';

/** Makes and pays for the model calls of one run (taxonomy AM-2). */
export class ModelCalls {
  readonly #work: AutoMapWork;
  readonly #model: MappingModel;
  readonly #credits: Credits;
  readonly #log: Log;
  #calls = 0;
  #isExhausted = false;

  constructor(parts: {
    readonly work: AutoMapWork;
    readonly model: MappingModel;
    readonly credits: Credits;
    readonly log: Log;
  }) {
    this.#work = parts.work;
    this.#model = parts.model;
    this.#credits = parts.credits;
    this.#log = parts.log;
  }

  /** True once the credits did not cover a call; the model is not called again in this run. */
  get isExhausted(): boolean {
    return this.#isExhausted;
  }

  /** True when the balance allows model calls in this run; a failed look-up does not block them (taxonomy AM-2). */
  async canStart(): Promise<boolean> {
    if (this.#credits.price(this.#usage({ inputTokens: 1_000, outputTokens: 1_000 })) === 0) return true;
    const { graphId, userId } = this.#work;
    const read = (tx: Transaction) =>
      this.#credits.reads.summary(tx, this.#credits.ownerOf(graphId, userId), this.#work.now());
    try {
      const pool = await this.#work.transaction(read, { readOnly: true });
      return (pool?.current_balance ?? 0) > 0;
    } catch (error) {
      if (this.#work.signal.aborted) throw error;
      this.#log.warn('the balance of credits could not be read', { graphId, error });
      return true;
    }
  }

  /**
   * The concepts that the model proposes, by account; undefined when it was not called or did not answer, so that the
   * scorer decides.
   */
  async ask(
    accounts: readonly UnmappedRow[],
    candidates: readonly Candidate[],
    trait: string,
  ): Promise<ReadonlyMap<string, Proposal> | undefined> {
    if (this.#isExhausted) return undefined;
    const text = await this.#call(mappingPrompt(accounts, candidates, trait));
    if (text === undefined) return undefined;
    const asked = new Set(accounts.map(({ id }) => id));
    return acceptedProposals(readModelAnswer(text), asked, new Set(candidates.map(({ element }) => element.id)));
  }

  async #call(prompt: ModelPrompt): Promise<string | undefined> {
    const { graphId, userId, operationId, requestId, attempt } = this.#work;
    const owner = this.#credits.ownerOf(graphId, userId);
    const callIndex = attempt * maxCallsPerAttempt + this.#calls;
    this.#calls += 1;
    const call = { operationId, callIndex, operationType, userId, requestId };
    try {
      await this.#credits.reserve(owner, call, this.#usage(estimatedTokens(prompt)));
    } catch (error) {
      if (!isServiceError(error) || error.code !== 'INSUFFICIENT_CREDITS') throw error;
      this.#isExhausted = true;
      return undefined;
    }
    const answer = await this.#answerTo(prompt, call);
    if (answer === undefined) return undefined;
    // An unreadable answer costs the same.
    const charge = await this.#credits.settle(owner, call, this.#usage(answer.usage));
    this.#isExhausted = charge.isExhausted;
    return answer.text;
  }

  /** An unavailable vendor must not fail the run: its call is not charged, and the scorer continues. */
  async #answerTo(prompt: ModelPrompt, call: CallKey): Promise<ModelAnswer | undefined> {
    const { signal, requestId } = this.#work;
    const traceparent = traceparentOf(requestId);
    try {
      return await this.#model.complete({ ...prompt, signal, ...(traceparent === undefined ? {} : { traceparent }) });
    } catch (error) {
      await this.#credits.release(call);
      if (signal.aborted) throw error;
      this.#log.warn('a mapping model did not answer', { model: this.#model.model, error });
      return undefined;
    }
  }

  #usage(tokens: Omit<TokenUsage, 'model' | 'isLocal'>): TokenUsage {
    const { model, isLocal } = this.#model;
    return { ...tokens, model, ...(isLocal === undefined ? {} : { isLocal }) };
  }
}
