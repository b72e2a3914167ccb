import type { ListedTool, ToolCatalog, ToolScope } from '@pacioli/core';
import { objectIn, receiptOf, type WriteReceipt } from './receipts.ts';

/** A tool request of a model, with a number that is unique in its run. */
interface ToolRequest {
  readonly name: string;
  readonly input: unknown;
  readonly number: number;
}

/** The result of a tool. A refusal is a result too, so that the model can go on (ai-surface M-9). */
export interface ToolOutcome {
  readonly text: string;
  readonly structured?: unknown;
  readonly isError: boolean;
}

/**
 * The tools of one run. Only those that were offered can be called, whatever the model asks for: the graph and the
 * caller are fixed, a read-only run has no tool that writes, and none writes once a call could not be paid for
 * (ai-surface PX-1, OP-43).
 */
export class RunTools {
  readonly #catalog: ToolCatalog;
  readonly #scope: ToolScope;
  readonly #facts: { readonly operationId: string; readonly requestId: string };
  readonly #isReadOnly: boolean;
  readonly #mayWrite: () => boolean;
  readonly #signal: AbortSignal;
  readonly #onWrite: (receipt: WriteReceipt) => Promise<void>;
  #listed: readonly ListedTool[] | undefined;
  #offered: ReadonlyMap<string, ListedTool> = new Map();
  #writes: readonly WriteReceipt[] = [];

  constructor(parts: {
    readonly catalog: ToolCatalog;
    readonly scope: ToolScope;
    readonly facts: { readonly operationId: string; readonly requestId: string };
    readonly isReadOnly: boolean;
    /** False once the run must not write any more. */
    readonly mayWrite: () => boolean;
    readonly signal: AbortSignal;
    /** Called after each write, so that its receipt is stored even if the run fails later. */
    readonly onWrite: (receipt: WriteReceipt) => Promise<void>;
  }) {
    this.#catalog = parts.catalog;
    this.#scope = parts.scope;
    this.#facts = parts.facts;
    this.#isReadOnly = parts.isReadOnly;
    this.#mayWrite = parts.mayWrite;
    this.#signal = parts.signal;
    this.#onWrite = parts.onWrite;
  }

  /** The receipts of the writes of this run, in order. */
  get writes(): readonly WriteReceipt[] {
    return this.#writes;
  }

  /** Continues the receipts of an earlier attempt, when a run resumes. */
  restore(writes: readonly WriteReceipt[]): void {
    this.#writes = writes;
  }

  /** Returns the tools of this graph for this caller that `choose` accepts, and offers them in place of earlier ones. */
  async offer(choose: (tool: ListedTool) => boolean): Promise<readonly ListedTool[]> {
    this.#listed ??= await this.#catalog.list(this.#scope);
    const chosen = this.#listed.filter((tool) => (!this.#isReadOnly || isRead(tool)) && choose(tool));
    this.#offered = new Map(chosen.map((tool) => [tool.name, tool]));
    return chosen;
  }

  /** True if the tool is offered and writes. */
  isWrite(name: string): boolean {
    const tool = this.#offered.get(name);
    return tool !== undefined && !isRead(tool);
  }

  /** The error result of a call whose arguments do not fit its tool; undefined if they do. Executes nothing. */
  problemOf({ name, input }: Pick<ToolRequest, 'name' | 'input'>): ToolOutcome | undefined {
    return this.#catalog.problemOf({ name, arguments: input });
  }

  /** Calls an offered tool; everything else is an error result, and nothing is executed. */
  async call({ name, input, number }: ToolRequest): Promise<ToolOutcome> {
    const tool = this.#offered.get(name);
    if (tool === undefined)
      return refused('not_available', `Tool '${name.slice(0, 100)}' is not available in this run.`);
    if (!isRead(tool) && !this.#mayWrite())
      return refused('insufficient_credits', 'No write is made after a model call that could not be paid for.');
    this.#signal.throwIfAborted();
    const { text, structured, isError } = await this.#catalog.call({
      ...this.#scope,
      name,
      arguments: input,
      source: 'operator',
      idempotencyKey: `${this.#facts.operationId}-${number}`,
      requestId: this.#facts.requestId,
      signal: this.#signal,
    });
    if (!isError && !isRead(tool)) {
      const receipt = receiptOf(name, input, structured ?? parsed(text));
      this.#writes = [...this.#writes, receipt];
      await this.#onWrite(receipt);
    }
    return { text, isError, ...(structured === undefined ? {} : { structured }) };
  }
}

const isRead = (tool: ListedTool): boolean => tool.effect === 'read';

const refused = (error: string, message: string): ToolOutcome => ({
  text: JSON.stringify({ error, message }),
  isError: true,
});

/** The JSON object of a text result; an empty one if it is another text. */
export function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return objectIn(JSON.parse(text));
  } catch {
    return {};
  }
}
