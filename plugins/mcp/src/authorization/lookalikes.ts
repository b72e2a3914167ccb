import { isLoopbackRedirect, parseUrl } from './redirects.ts';

/**
 * Well-known clients with the domains that their responses go to. Each deployment of Pacioli has a domain of its own, so
 * none confirms that name.
 */
const wellKnown: readonly (readonly [name: string, domains: readonly string[]])[] = [
  ['Anthropic', ['claude.ai', 'claude.com', 'anthropic.com']],
  ['ChatGPT', ['chatgpt.com', 'openai.com']],
  ['Claude', ['claude.ai', 'claude.com', 'anthropic.com']],
  ['Codex', ['chatgpt.com', 'openai.com']],
  ['Copilot', ['microsoft.com', 'github.com', 'vscode.dev']],
  ['Cursor', ['cursor.com', 'cursor.sh']],
  ['Gemini', ['google.com']],
  ['Goose', ['block.xyz']],
  ['Grok', ['grok.com', 'x.ai']],
  ['Le Chat', ['mistral.ai']],
  ['Mistral', ['mistral.ai']],
  ['OpenAI', ['chatgpt.com', 'openai.com']],
  ['Pacioli', []],
  ['Perplexity', ['perplexity.ai']],
  ['Visual Studio Code', ['vscode.dev', 'microsoft.com']],
  ['VS Code', ['vscode.dev', 'microsoft.com']],
  ['VSCode', ['vscode.dev', 'microsoft.com']],
  ['Windsurf', ['windsurf.com', 'codeium.com']],
  ['Zed', ['zed.dev']],
];

/** Letters that look like Latin ones, each before the one it looks like; accents are removed by decomposition. */
const lookalikes: ReadonlyMap<string, string> = new Map(
  [
    '0o 1l 3e 4a 5s @a $s |l',
    // Greek
    'Αa Βb Εe Ζz Ηh Ιi Κk Μm Νn Οo Ρp Τt Υy Χx Θo Ϝf Ϳj Ϲc Ϻm αa βb γy εe ηn ιi κk νv οo ρp σo ςc ϲc τt',
    'υu χx ωw ϳj ϝf',
    // Cyrillic
    'Аa Вb Еe Ѕs Іi Јj Кk Мm Нh Оo Рp Сc Тt Уy Хx Үy Һh Ьb Ѵv Ԁd Ԍg Ԛq Ԝw Ӏi аa вb гr еe ѕs іi јj кk мm',
    'нh оo пn рp сc тt уy хx үy һh ьb ѵv ѡw ҁc ԁd ԍg ԛq ԝw ӏl',
    // Armenian
    'Տs Օo Սu Լl օo ոn սu հh յj ցg զq',
    // Latin: small capitals, and others that decomposition leaves
    'ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ɪi ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz',
    'ɑa ɡg ıi ɩi ȷj ʋv øo łl đd ħh ŧt ƀb ɨi ʉu ƶz',
  ]
    .flatMap((pairs) => pairs.split(' '))
    .map((pair): [string, string] => [pair.slice(0, -1), pair.slice(-1)]),
);

const minLettersWithinWords = 6;

/**
 * Returns the well-known client that a name resembles although the response goes to another host, for a warning (O-24).
 * A loopback redirect has no host that could confirm a name; the page warns of it in other words, unless the name is one
 * that no host confirms.
 */
export function resembledClient(clientName: string, redirect: string): string | undefined {
  const isLoopback = isLoopbackRedirect(redirect);
  const url = parseUrl(redirect);
  const host = url?.protocol === 'https:' ? url.hostname : '';
  const isConfirmed = (domains: readonly string[]): boolean => (isLoopback ? domains.length > 0 : isOf(host, domains));
  return wellKnown.find(([known, domains]) => isNamedLike(clientName, known) && !isConfirmed(domains))?.[0];
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
  const letters = [...text.normalize('NFD')].map(latinOf).join('');
  // A capital I and a small l cannot be told apart in many fonts.
  return letters
    .replaceAll(/[^a-z]/g, '')
    .replaceAll('i', 'l')
    .replaceAll('vv', 'w')
    .replaceAll('rn', 'm');
}

/** A letter is compared as it is drawn at first: some capitals look Latin, and their small letters do not. */
function latinOf(letter: string): string {
  const plain = (each: string): string => lookalikes.get(each) ?? each;
  return lookalikes.get(letter) ?? [...letter.normalize('NFKD').toLowerCase()].map(plain).join('');
}
