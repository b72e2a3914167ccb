import { request } from 'node:http';

/** The status of a request with headers that fetch would not send, such as `Host`; GET without a body. */
export function statusWith(
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: body === undefined ? 'GET' : 'POST', headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
