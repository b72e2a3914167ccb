import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import { type Caller, type Graph, type HeardChange, type ListedTool, Notifier } from '@pacioli/core';
import type { Message } from '../protocol/index.ts';
import { readsDocuments } from '../server/index.ts';
import type { PendingChanges } from './pending-changes.ts';

/** The intervals at which a stream pings, and checks the rights of its caller without a notification. */
export interface StreamTimes {
  readonly pingMs: number;
  readonly checkMs: number;
}

/** The response of the official router to one request. */
export interface RouterResponse {
  readonly response: Response;
  /** Ends the stream with its result. */
  close(): Promise<void>;
}

/** A request for a stream whose caller was admitted. */
export interface ListenRequest {
  readonly message: Message;
  readonly caller: Caller;
  readonly graph: Graph;
  readonly tools: readonly ListedTool[];
  readonly signal: AbortSignal;
  /** Authenticates the credential again and lists its tools; throws if access has ended. */
  recheck(): Promise<readonly ListedTool[]>;
  /** Gives the message to the official router, which sends the events of the bus. */
  serve(message: Message, bus: ServerEventBus): Promise<RouterResponse>;
}

interface StreamEnds {
  readonly frames: ReadableStream<Uint8Array>;
  readonly closing: AbortSignal;
  readonly times: StreamTimes;
  leave(): Promise<void>;
}

/** One stream: passes changes to the official router as events, and its frames to the client. */
export class ChangeStream implements ServerEventBus {
  readonly #request: ListenRequest;
  readonly #pending: PendingChanges;
  readonly #notifier = new Notifier();
  #tools: readonly ListedTool[];
  #listener: ((event: ServerEvent) => void) | undefined;
  #isEnded = false;

  constructor(request: ListenRequest, pending: PendingChanges) {
    this.#request = request;
    this.#pending = pending;
    this.#tools = request.tools;
  }

  hear(change: HeardChange | undefined): void {
    this.#pending.add(change);
    if (!this.#pending.isEmpty) this.#notifier.notify();
  }

  publish(event: ServerEvent): void {
    this.#listener?.(event);
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    this.#listener = listener;
    return () => {
      this.#listener = undefined;
    };
  }

  /** Makes frames only when the client has read the earlier ones, so that none are queued for a slow client. */
  async *chunks(
    served: RouterResponse,
    { frames, closing, times, leave }: StreamEnds,
  ): AsyncGenerator<string | Uint8Array> {
    const wake = (): void => this.#notifier.notify();
    const reader = frames.getReader();
    let arrived: { readonly value: Uint8Array | undefined } | undefined;
    const readNext = async (): Promise<void> => {
      // The router ends its frames when the client has disconnected.
      const { value } = await reader.read().catch(() => ({ value: undefined }));
      arrived = { value };
      wake();
    };
    closing.addEventListener('abort', wake);
    let silentMs = 0;
    try {
      void readNext();
      for (;;) {
        if (arrived !== undefined) {
          if (arrived.value === undefined) return;
          yield arrived.value;
          arrived = undefined;
          void readNext();
        } else if (closing.aborted && !this.#isEnded) await this.#end(served);
        else if (!this.#pending.isEmpty && !this.#isEnded) await this.#send(served);
        else if (!(await this.#notifier.wait(times.pingMs))) {
          yield ': ping\n\n';
          silentMs += times.pingMs;
          if (silentMs % times.checkMs === 0) this.#pending.check();
        }
      }
    } finally {
      closing.removeEventListener('abort', wake);
      await Promise.all([served.close(), leave()]);
    }
  }

  /** Sends the changes that the caller may still see. The stream ends if the check of rights fails for any reason. */
  async #send(served: RouterResponse): Promise<void> {
    const { isListChanged, uris } = this.#pending.take();
    let tools: readonly ListedTool[];
    try {
      tools = await this.#request.recheck();
    } catch {
      return this.#end(served);
    }
    // The catalog returns the same list as long as the caller may use the same tools; the router applies the filter.
    if (tools !== this.#tools) this.publish({ kind: 'tools_list_changed' });
    this.#tools = tools;
    if (!readsDocuments(tools)) return;
    if (isListChanged) this.publish({ kind: 'resources_list_changed' });
    for (const uri of uris) this.publish({ kind: 'resource_updated', uri });
  }

  async #end(served: RouterResponse): Promise<void> {
    this.#isEnded = true;
    await served.close();
  }
}
