import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EventFrame, framesOf } from './event-stream.ts';

async function read(chunks: readonly string[]): Promise<readonly EventFrame[]> {
  async function* stream(): AsyncGenerator<string> {
    yield* chunks;
  }
  const frames: EventFrame[] = [];
  for await (const frame of framesOf(stream())) frames.push(frame);
  return frames;
}

const text =
  'retry: 1000\n\n: a comment\n\nevent: connected\ndata: {"a":1}\n\nid: 1\nevent: operation_started\ndata: {}\n\n';

describe('framesOf', () => {
  it('reads frames with their ids, however the text is split into chunks', async () => {
    const whole = await read([text]);
    expect(whole.map(({ id, event, retry }) => [id, event, retry])).toEqual([
      [undefined, undefined, '1000'],
      [undefined, 'connected', undefined],
      ['1', 'operation_started', undefined],
    ]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(text.length)), async (cuts) => {
        const ends = [...cuts, 0, text.length].sort((a, b) => a - b);
        const pieces = ends.slice(1).map((end, index) => text.slice(ends[index], end));
        expect(await read(pieces)).toEqual(whole);
      }),
    );
  });

  it('counts data lines, because clients keep only the last one (platform V-3)', async () => {
    const [frame] = await read(['event: two\ndata: 1\ndata: 2\n\n']);
    expect(frame).toMatchObject({ data: 2, dataLines: 2 });
  });

  it('drops a truncated frame', async () => {
    expect(await read(['event: connected\ndata: {}\n'])).toEqual([]);
  });
});
