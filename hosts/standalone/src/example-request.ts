/** An example request that can be copied and sent. */
export interface ExampleRequest {
  readonly title: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** The request as one command for a POSIX shell. */
export function asCurl(request: ExampleRequest): string {
  const headers = Object.entries(request.headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  return ['curl -s', quoted(request.url), ...headers, `-d ${quoted(JSON.stringify(request.body))}`].join(' ');
}

/** A POSIX shell takes every character in single quotes literally, except the single quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The requests as commands, each under its title. */
export function asCommands(requests: readonly ExampleRequest[]): string {
  return requests.map((request) => `  # ${request.title}\n  ${asCurl(request)}`).join('\n\n');
}
