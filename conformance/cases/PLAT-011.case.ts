import { type Client, isStream } from '../src/client.ts';
import { defineCase } from '../src/define-case.ts';
import type { EventFrame } from '../src/event-stream.ts';
import { CaseFailure, textAt } from '../src/expectations.ts';
import { objectOf } from '../src/json.ts';
import { graphRequest } from '../src/run-resources.ts';

/** Events without a sequence number, because they belong to a connection and not to the operation. */
const unnumbered = ['connected', 'keepalive', 'queue_update', 'stream_end'];

export default defineCase({
  id: 'PLAT-011',
  level: 'MUST',
  title: 'an event stream replays every event once, in order, from the requested position',
  clause: 'platform V-3 to V-8',
  async run({ newUser, anonymous, expectStatus, expectError, expectThat }) {
    const { client, token } = await newUser();
    const accepted = await client.post('/v1/graphs', graphRequest('Stream'));
    expectStatus(202, accepted);
    const path = `/v1/operations/${textAt(accepted, 'operationId')}/stream`;
    const whole = await framesOf(client, path);
    expectThat(whole[0]?.event === 'connected' && whole[0].id === undefined, 'The first event must be connected');
    expectThat(whole.at(-1)?.event === 'stream_end', `The last event must be stream_end, got ${whole.at(-1)?.event}`);
    expectThat(objectOf(whole.at(-1)?.data)['status'] === 'completed', 'stream_end must carry the status');
    const stored = whole.filter(({ event }) => event !== undefined && !unnumbered.includes(event));
    for (const [index, frame] of stored.entries()) checkStored(frame, index + 1);
    const last = stored.at(-1);
    expectThat(last?.event === 'operation_completed', `The last stored event was ${last?.event}`);
    const { graph_id: graphId } = objectOf(objectOf(last?.data)['result']);
    expectThat(typeof graphId === 'string', 'operation_completed must carry result.graph_id');

    const numbers = (frames: readonly EventFrame[]): string => frames.flatMap(({ id }) => id ?? []).join(',');
    const all = numbers(stored);
    for (const from of ['?from_sequence=0', '?from_sequence=1'])
      expectThat(numbers(await framesOf(client, `${path}${from}`)) === all, `${from} must replay everything once`);
    const after = numbers(await framesOf(client, path, { 'last-event-id': '1' }));
    expectThat(after === all.split(',').slice(1).join(','), `After event 1, received ${after}`);
    const beyond = await framesOf(client, `${path}?from_sequence=9999`);
    expectThat(
      numbers(beyond) === '' && beyond.at(-1)?.event === 'stream_end',
      'Beyond the end there must be only stream_end',
    );
    expectStatus(422, await client.get(`${path}?from_sequence=-1`));
    const byQuery = await framesOf(anonymous, `${path}?token=${token}`);
    expectThat(numbers(byQuery) === all, 'A session token in the query must open the stream');
    expectError(401, await anonymous.get(`${path}?token=nonsense`));
  },
});

async function framesOf(
  client: Client,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly EventFrame[]> {
  const stream = await client.openStream(path, headers);
  if (!isStream(stream)) throw new CaseFailure(`A stream was rejected with ${stream.status}`);
  const type = stream.headers.get('content-type') ?? '';
  if (!type.startsWith('text/event-stream')) throw new CaseFailure(`A stream was sent as ${type}`);
  const frames: EventFrame[] = [];
  for await (const frame of stream.frames()) if (frame.event !== undefined) frames.push(frame);
  return frames;
}

function checkStored(frame: EventFrame, number: number): void {
  const data = objectOf(frame.data);
  const problem =
    frame.id !== String(number)
      ? `has the id ${frame.id} and not ${number}`
      : data['sequence_number'] !== number
        ? `has the sequence_number ${data['sequence_number']}`
        : frame.dataLines !== 1
          ? `has ${frame.dataLines} data lines`
          : ['operation_id', 'timestamp'].find((name) => typeof data[name] !== 'string');
  if (problem !== undefined) throw new CaseFailure(`The event ${frame.event} ${problem}`);
}
