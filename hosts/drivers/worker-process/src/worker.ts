import type { Calls, Reply, Request } from './calls.ts';

const beatMs = 500;

export type Handlers<C extends Calls> = {
  readonly [N in keyof C & string]: (ask: C[N]['ask']) => Promise<C[N]['answer']>;
};

/**
 * Answers the calls of the parent until it asks to close, in the worker's program. `failureOf` describes an error as
 * data. The process ends with its parent.
 */
export function answerCalls<C extends Calls>(handlers: Handlers<C>, failureOf: (error: unknown) => unknown): void {
  const send = (reply: Reply): void => {
    if (process.connected) process.send?.(reply);
  };
  const beats = setInterval(() => send({ beat: { residentBytes: process.memoryUsage.rss() } }), beatMs);
  const answer = async ({ id, call, ask }: Request): Promise<Reply> => {
    try {
      // The parent matches each reply to its request; both sides are typed by the same calls.
      const handle = handlers[call] as (ask: unknown) => Promise<unknown>;
      return { id, answer: await handle(ask) };
    } catch (error) {
      return { id, failure: failureOf(error) };
    }
  };
  process.on('message', (message) => {
    const request = message as Request; // Only the parent can write to this channel.
    void answer(request).then((reply) => {
      send(reply);
      if (request.call === 'close') {
        clearInterval(beats);
        process.disconnect();
      }
    });
  });
  process.on('disconnect', () => process.exit(0));
  // The parent may have ended while this program was loaded, before anyone listened.
  if (!process.connected) process.exit(0);
}

/** The engine's message without the places of files on this machine, for callers. */
export function maskPaths(message: string): string {
  return message.replaceAll(/(?:[A-Za-z]:)?[\\/](?:[\w.@+-]+[\\/])+[\w.@+-]*/g, '<file>');
}
