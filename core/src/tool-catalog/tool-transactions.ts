import type { ToolContext } from '../define/tool.ts';
import type { Kernel } from '../envelope/kernel.ts';
import { type RunRecord, saveAudit, saveFailure } from '../envelope/record.ts';
import { toServiceError } from '../errors/to-wire.ts';

/** The transactions of one call of a hand-written tool, with the audit row of a write (ai-surface M-15). */
export class ToolTransactions {
  readonly #kernel: Kernel;
  readonly #run: RunRecord & { readonly graphId: string };
  readonly #isWrite: boolean;
  #isAudited = false;

  constructor(kernel: Kernel, run: RunRecord & { readonly graphId: string }, isWrite: boolean) {
    this.#kernel = kernel;
    this.#run = run;
    this.#isWrite = isWrite;
  }

  readonly open: ToolContext['transaction'] = async (work) => {
    const scope = { graphId: this.#run.graphId };
    if (!this.#isWrite) return this.#kernel.store.transaction(scope, work, { readOnly: true });
    const isFirst = !this.#isAudited;
    const result = await this.#kernel.store.transaction(scope, async (tx) => {
      const given = await work(tx);
      if (isFirst) saveAudit(tx, { ...this.#run, endedAt: this.#kernel.clock.now() }, given);
      return given;
    });
    this.#isAudited = true;
    return result;
  };

  /** Stores the audit row of a write that opened no transaction, such as one of the graph engine. */
  async succeed(result: unknown): Promise<void> {
    if (!this.#isWrite || this.#isAudited) return;
    await this.#kernel.store.transaction({ graphId: this.#run.graphId }, async (tx) =>
      saveAudit(tx, { ...this.#run, endedAt: this.#kernel.clock.now() }, result),
    );
  }

  async fail(error: unknown): Promise<void> {
    if (!this.#isWrite || this.#isAudited) return;
    const record = { ...this.#run, endedAt: this.#kernel.clock.now() };
    await this.#kernel.store
      .transaction({ graphId: this.#run.graphId }, (tx) => saveFailure(tx, record, toServiceError(error)))
      .catch((cause: unknown) => {
        this.#kernel.log.error('a failed tool call could not be audited', {
          tool: this.#run.operation,
          requestId: this.#run.requestId,
          error: cause,
        });
      });
  }
}
