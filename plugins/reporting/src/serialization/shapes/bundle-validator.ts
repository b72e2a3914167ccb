import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createToken, ServiceError } from '@pacioli/core';
import { largeParts } from '../bundle/index.ts';
import { reportShapes } from './report-shapes.ts';

/** The result of validating a document (reporting P-12). */
export interface BundleValidation {
  readonly ran: boolean;
  readonly conforms: boolean;
  /** At most 20 sentences. */
  readonly violations: readonly string[];
}

export interface ValidationRequest {
  /** The text of the document, as JSON-LD, in parts that are made while it is sent. */
  readonly parts: Iterable<string>;
  /** The URL below which its vocabulary is. */
  readonly base: string;
  readonly signal: AbortSignal;
}

/** Limits of the validator process. */
export interface ValidatorLimits {
  /** For one document, the start of the process included. The largest reports need a few seconds. */
  readonly runMsMax: number;
  /** The heap of the process, which crashes beyond it. */
  readonly heapMbMax: number;
  /** Documents that wait while another one is validated. */
  readonly waitingMax: number;
  /** An idle process is ended after this time, because the loaded libraries occupy memory. */
  readonly idleMsMax: number;
}

const defaultLimits: ValidatorLimits = { runMsMax: 60_000, heapMbMax: 512, waitingMax: 16, idleMsMax: 60_000 };
const maxViolations = 20;

type Reply = { readonly validation: BundleValidation } | { readonly failure: string };

/**
 * Checks documents against the shapes (reporting X-10), one at a time, in a child process. The service keeps answering
 * while it runs, and survives its crash; a worker thread that exceeds its heap could end the whole service. Nothing is
 * fetched: a document with a remote context fails. The first document starts the process. If the process crashes or
 * takes too long, that document fails, and the next one starts a new process.
 */
export class BundleValidator {
  readonly #limits: ValidatorLimits;
  #idle: ChildProcess | undefined;
  #running: ChildProcess | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #lastRun: Promise<unknown> = Promise.resolve();
  #pending = 0;

  constructor(limits: Partial<ValidatorLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits };
  }

  /** Throws REPORT_NOT_VALIDATED (503) if the process crashes or takes too long, or too many documents wait. */
  async validate(request: ValidationRequest): Promise<BundleValidation> {
    if (this.#pending > this.#limits.waitingMax) throw notValidated('too many reports are being validated');
    this.#pending += 1;
    const run = this.#lastRun.then(() => this.#run(request));
    this.#lastRun = run.catch(() => undefined);
    try {
      return await run;
    } finally {
      this.#pending -= 1;
    }
  }

  /** Ends the process; a document in validation fails. */
  async stop(): Promise<void> {
    clearTimeout(this.#idleTimer);
    await Promise.all([this.#idle, this.#running].map(endProcess));
  }

  async #run({ parts, base, signal }: ValidationRequest): Promise<BundleValidation> {
    signal.throwIfAborted();
    clearTimeout(this.#idleTimer);
    const child = this.#idle ?? this.#start();
    this.#idle = undefined;
    this.#running = child;
    try {
      child.channel?.ref();
      const replied = replyOf(child, signal, this.#limits.runMsMax);
      const [reply] = await Promise.all([replied, sendDocument(child, parts, reportShapes(base))]);
      this.#keepIdle(child);
      if ('failure' in reply) throw new Error(`The validation of a report failed: ${reply.failure}`);
      return reply.validation;
    } finally {
      this.#running = undefined;
      if (this.#idle !== child) await endProcess(child);
    }
  }

  #start(): ChildProcess {
    const child = fork(new URL('./shapes-worker.mjs', import.meta.url), [], {
      // The process gets neither settings and secrets of the service nor its flags, such as loaders.
      env: {},
      execArgv: [`--max-old-space-size=${this.#limits.heapMbMax}`],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.unref();
    child.on('error', () => undefined); // Without a listener, it would be thrown. `replyOf` rejects with it.
    child.once('exit', () => {
      if (this.#idle === child) this.#idle = undefined;
    });
    return child;
  }

  #keepIdle(child: ChildProcess): void {
    child.channel?.unref();
    this.#idle = child;
    this.#idleTimer = setTimeout(() => child.kill(), this.#limits.idleMsMax);
    this.#idleTimer.unref();
  }
}

/** Sends a document in parts, each after the process took the one before it. */
async function sendDocument(child: ChildProcess, parts: Iterable<string>, shapes: string): Promise<void> {
  // An error of `send` needs no handling: the process has then ended, which rejects the wait for its reply.
  const send = (message: object): Promise<void> => new Promise((resolve) => void child.send(message, () => resolve()));
  for (const part of largeParts(parts)) {
    if (!child.connected) return;
    await send({ part });
  }
  if (child.connected) await send({ shapes, maxViolations });
}

/** Waits for the next message of a process; rejects if the process ends, time runs out or the request is aborted. */
function replyOf(child: ChildProcess, signal: AbortSignal, runMsMax: number): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void): void => {
      clearTimeout(timeout);
      child.off('message', message).off('error', error).off('exit', exit);
      signal.removeEventListener('abort', abort);
      finish();
    };
    const fail = (reason: string, cause?: unknown): void => settle(() => reject(notValidated(reason, cause)));
    const message = (reply: unknown): void => settle(() => resolve(reply as Reply)); // Only our worker writes to it.
    const error = (cause: Error): void => fail('the validator could not be started', cause);
    const exit = (_code: number | null, ending: NodeJS.Signals | null): void => fail(reasonOf(ending));
    const abort = (): void => settle(() => reject(signal.reason));
    const timeout = setTimeout(() => fail(`it took longer than ${runMsMax} ms`), runMsMax);
    child.on('message', message).on('error', error).on('exit', exit);
    signal.addEventListener('abort', abort);
  });
}

async function endProcess(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exit = once(child, 'exit');
  child.ref();
  child.kill('SIGKILL');
  await exit;
}

/** Node.js ends a process that reaches the limit of its heap with SIGABRT. */
function reasonOf(ending: NodeJS.Signals | null): string {
  return ending === 'SIGABRT' ? 'it needs more memory than is allowed; report fewer columns' : 'the validator stopped';
}

function notValidated(reason: string, cause?: unknown): ServiceError {
  const message = `The report could not be validated: ${reason}. Nothing changed.`;
  return new ServiceError('unavailable', 'REPORT_NOT_VALIDATED', message, { cause });
}

/** The validator that all operations on reports share. */
export const bundleValidator = createToken<BundleValidator>('reporting.bundle-validator');
