import { type ChangeFeed, eventStream, isServiceError, type StreamAnswer } from '@pacioli/core';
import { type Answer, codes, rpcError } from '../protocol/index.ts';
import { ChangeStream, type ListenRequest, type StreamTimes } from './change-stream.ts';
import { readFilter } from './listen-filter.ts';
import { PendingChanges } from './pending-changes.ts';

/** The expiry of a credential notifies nobody, so it ends the stream at the next check. */
const streamTimes: StreamTimes = { pingMs: 15_000, checkMs: 60_000 };

/** Opens the streams of changes (ai-surface M-20f). */
export class ChangeStreams {
  readonly #feed: ChangeFeed;
  readonly #times: StreamTimes;

  constructor(feed: ChangeFeed, times: StreamTimes = streamTimes) {
    this.#feed = feed;
    this.#times = times;
  }

  /** Opens a stream, or returns its refusal, which may be that of the official router. */
  async open(request: ListenRequest): Promise<Answer | StreamAnswer | Response> {
    const { message, caller, graph, signal } = request;
    const { id = null } = message;
    const read = readFilter(message, graph.id);
    if ('problem' in read) return rpcError(400, codes.invalidParams, read.problem, { id });
    const stream = new ChangeStream(request, new PendingChanges(graph.id, read.filter));
    const served = await request.serve(read.message, stream);
    const { body: frames, headers } = served.response;
    if (frames === null || headers.get('content-type') !== 'text/event-stream') return served.response;
    try {
      const leave = await this.#feed.open(caller, graph, (change) => stream.hear(change));
      // A stream that is never read does not end by itself, so a disconnected client leaves the feed here.
      signal.addEventListener('abort', () => void leave(), { once: true });
      if (signal.aborted) await leave();
      const { closing } = this.#feed;
      return eventStream(stream.chunks(served, { frames, closing, times: this.#times, leave }));
    } catch (error) {
      await served.close();
      if (!isServiceError(error) || error.kind !== 'rate_limited') throw error;
      return rpcError(429, codes.refused, tooMany, { id, headers: { 'Retry-After': '5' } });
    }
  }
}

const tooMany =
  'Too many open subscriptions (limit: 5 for each user). Close one, or ask for several kinds of changes on one stream.';
