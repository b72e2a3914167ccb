/** One frame of an event stream as received. */
export interface EventFrame {
  readonly id: string | undefined;
  readonly event: string | undefined;
  /** The parsed data line; undefined where there is none. */
  readonly data: unknown;
  readonly retry: string | undefined;
  /** A frame must carry its data in one line, because clients keep only the last one. */
  readonly dataLines: number;
}

/** A larger frame is an error of the stream. */
const maxFrameCharacters = 4 * 1024 * 1024;

/** Yields the frames of a text stream one at a time; comments are skipped. */
export async function* framesOf(chunks: AsyncIterable<string>): AsyncGenerator<EventFrame> {
  let text = '';
  for await (const chunk of chunks) {
    text += chunk.replaceAll('\r\n', '\n');
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const frame = parseFrame(text.slice(0, end));
      text = text.slice(end + 2);
      if (frame !== undefined) yield frame;
    }
    if (text.length > maxFrameCharacters) throw new Error(`A frame has more than ${maxFrameCharacters} characters.`);
  }
}

function parseFrame(text: string): EventFrame | undefined {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith(':'));
  if (lines.length === 0) return undefined;
  const fields = lines.map((line) => {
    const colon = line.indexOf(':');
    return colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).trimStart()];
  });
  const lastOf = (name: string): string | undefined => fields.findLast(([field]) => field === name)?.[1];
  const data = lastOf('data');
  return {
    id: lastOf('id'),
    event: lastOf('event'),
    data: data === undefined ? undefined : JSON.parse(data),
    retry: lastOf('retry'),
    dataLines: fields.filter(([field]) => field === 'data').length,
  };
}
