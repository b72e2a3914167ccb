import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { asCurl } from '../example-request.ts';
import { exampleRequests, failedSetUpText, welcomeText } from './welcome.ts';

const access = {
  url: 'http://127.0.0.1:8000',
  email: 'demo@larkspur.example',
  apiKey: 'rfs123',
  graphId: 'kg0a',
  cashId: 'elem_cash',
  salesId: 'elem_sales',
};

it('prints the URL, the key, the reference, the explorer and three commands on one line each', () => {
  const text = welcomeText(access);
  expect(text).toMatch(/Base URL +http:\/\/127\.0\.0\.1:8000\n/);
  expect(text).toMatch(/API key +rfs123 /);
  expect(text).toMatch(/Explorer +http:\/\/127\.0\.0\.1:8000\/extensions\/kg0a\/graphql\n/);
  expect(text).toMatch(/Reference +http:\/\/127\.0\.0\.1:8000\/docs\n/);
  expect(text.split('\n').filter((line) => line.startsWith('  curl '))).toHaveLength(3);
});

it('prints commands that a shell parses into the same request, whatever characters it contains', () => {
  const [request] = exampleRequests(access);
  if (request === undefined) throw new Error('There is no request to try.');
  const body = { text: `it's "quoted" $HOME \`id\` \\ and more` };
  const command = asCurl({ ...request, body });
  const words = execFileSync('sh', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' }).split('\0');
  expect(words.slice(0, 3)).toEqual(['curl', '-s', request.url]);
  expect(words).toContain('X-API-Key: rfs123');
  expect(JSON.parse(words[words.indexOf('-d') + 1] ?? '')).toEqual(body);
});

it('says why the demo could not be set up, and how to go on', () => {
  expect(failedSetUpText(new Error('The graph server does not answer: retry in a moment.'))).toBe(
    'The demo could not be set up: The graph server does not answer: retry in a moment.\n' +
      'The next start continues it; DEMO=off starts without it.',
  );
});
