import { createToken, type Token } from '../container/token.ts';
import type { JsonSchema, ToolResult, ToolScope } from './catalog.ts';

/** What a run waits for (platform L-3). */
export interface ToolQuestion {
  /** Identifies this question among all that the run asks. */
  readonly id: string;
  readonly prompt: string;
  /** The schema of the input that answers it; any object without one. */
  readonly schema?: JsonSchema;
}

/** A run that a tool has started, as its caller sees it (ai-surface M-20e). */
export interface ToolRun {
  readonly operationId: string;
  readonly status: 'pending' | 'running' | 'awaiting_input' | 'completed' | 'failed' | 'cancelled';
  /** What the run does, or how it ended. */
  readonly message: string;
  /** 0 to 100. */
  readonly percent?: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The record is kept at least this long after `createdAt`, in milliseconds (platform L-20). */
  readonly keptMs: number;
  /** Present while the run awaits input. */
  readonly question?: ToolQuestion;
  /** What a call that waits returns; present once the run has completed or failed. */
  readonly result?: ToolResult;
  /** True for a failure of the service rather than a refusal that the operation declares (platform L-15). */
  readonly isServiceFailure?: true;
}

/**
 * The runs that tools have started. A run is visible to the user who started or joined it, on its graph only, with the
 * rights of platform L-16; every other id is undefined, whether or not there is such a run.
 */
export interface ToolRuns {
  find(scope: ToolScope, operationId: string): Promise<ToolRun | undefined>;
  /** Cancels a run that has not ended, and returns it as it was. Throws 403 to a user who only joined it. */
  cancel(scope: ToolScope, operationId: string): Promise<ToolRun | undefined>;
  /**
   * Answers a question, and returns the run as it was. Changes nothing if the run asks another question or none. Throws
   * 422 for an input that does not fit the schema, and 403 to a user who only joined the run.
   */
  answer(
    scope: ToolScope,
    operationId: string,
    answer: { readonly questionId: string; readonly input: unknown },
  ): Promise<ToolRun | undefined>;
}

export const toolRuns: Token<ToolRuns> = createToken('kernel.tool-runs');
