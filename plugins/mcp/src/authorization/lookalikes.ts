import { isLoopbackRedirect, parseUrl } from './redirects.ts';

/** Well-known clients with the domains that their responses go to. */
const wellKnown: readonly (readonly [name: string, domains: readonly string[]])[] = [
  ['ChatGPT', ['chatgpt.com', 'openai.com']],
  ['Claude', ['claude.ai', 'claude.com', 'anthropic.com']],
  ['Codex', ['chatgpt.com', 'openai.com']],
  ['Copilot', ['microsoft.com', 'github.com', 'vscode.dev']],
  ['Cursor', ['cursor.com', 'cursor.sh']],
  ['Gemini', ['google.com']],
  ['Goose', ['block.xyz']],
  ['Le Chat', ['mistral.ai']],
  ['OpenAI', ['chatgpt.com', 'openai.com']],
  ['Perplexity', ['perplexity.ai']],
  ['Visual Studio Code', ['vscode.dev', 'microsoft.com']],
  ['Windsurf', ['windsurf.com', 'codeium.com']],
  ['Zed', ['zed.dev']],
];

/** Letters that look like Latin ones, each before the one it looks like; accents are removed by decomposition. */
const lookalikes: ReadonlyMap<string, string> = new Map(
  '0o 1l 3e 4a 5s @a $s |l аa еe іi оo рp сc ѕs уy хx ԁd ոn սu αa οo ιl νv υu ɡg ıi'
    .split(' ')
    .map((pair): [string, string] => [pair.slice(0, -1), pair.slice(-1)]),
);

const minLettersWithinWords = 6;

/**
 * Returns the well-known client that a name resembles although the response goes to another host, for a warning (O-24).
 * A loopback redirect has no host that could confirm a name; the page warns of it in other words.
 */
export function resembledClient(clientName: string, redirect: string): string | undefined {
  if (isLoopbackRedirect(redirect)) return undefined;
  const url = parseUrl(redirect);
  const host = url?.protocol === 'https:' ? url.hostname : '';
  return wellKnown.find(([known, domains]) => isNamedLike(clientName, known) && !isOf(host, domains))?.[0];
}

/** Finds a long name also within other letters, as in `Claude2`; a short one only as words of its own. */
function isNamedLike(clientName: string, known: string): boolean {
  const isLong = !known.includes(' ') && known.length >= minLettersWithinWords;
  if (isLong) return skeleton(clientName).includes(skeleton(known));
  return ` ${wordsOf(clientName)} `.includes(` ${wordsOf(known)} `);
}

function wordsOf(text: string): string {
  return text
    .split(/[\s_-]+/)
    .map(skeleton)
    .join(' ');
}

function isOf(host: string, domains: readonly string[]): boolean {
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
}

function skeleton(text: string): string {
  const letters = [...text.normalize('NFKD').toLowerCase()].map((letter) => lookalikes.get(letter) ?? letter).join('');
  // A capital I and a small l cannot be told apart in many fonts.
  return letters
    .replaceAll(/[^a-z]/g, '')
    .replaceAll('i', 'l')
    .replaceAll('vv', 'w')
    .replaceAll('rn', 'm');
}
