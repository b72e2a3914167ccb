import { maxAmount } from '../../values/index.ts';

/** A path below `event` or `handler`, with an optional fallback for a missing value. */
export interface Path {
  readonly root: 'event' | 'handler';
  readonly names: readonly string[];
  readonly fallback: string | undefined;
}

/** A template cannot be parsed; the message names the character, counted from 1, at which parsing stopped. */
export class TemplateProblem extends Error {
  constructor(text: string, position: number, reason: string) {
    super(`'${text}' cannot be read at character ${position + 1}: ${reason}`);
  }
}

/** The fields that a path can name below each root (ledger L-103). */
const fieldsByRoot = {
  event: new Set([
    'id',
    'event_type',
    'event_category',
    'agent_id',
    'resource_type',
    'resource_element_id',
    'occurred_at',
    'effective_at',
    'source',
    'external_id',
    'amount',
    'amount_abs',
    'currency',
    'description',
    'metadata',
  ]),
  handler: new Set(['id', 'name', 'event_type', 'origin', 'priority', 'metadata']),
} as const satisfies Record<Path['root'], ReadonlySet<string>>;

/** Limit of the names in a path. */
const maxNames = 20;

export const tooLarge = `a number is at most ${maxAmount} minor units, the largest amount that is stored exactly.`;

/** The kind and pattern of a path in the languages of templates. */
export const pathToken = ['path', /\{\{.*?\}\}/y] as const;

/** Parses the token `{{ … }}` that begins at index `at` of the whole text; errors quote that text. */
export function parsePath(text: string, token: string, at: number): Path {
  const inside = /^\{\{\s*([^|]*?)\s*(?:\|\s*default\s+(.+?)\s*)?\}\}$/s.exec(token);
  const [root, ...names] = inside?.[1]?.split('.') ?? [];
  if (inside === null || (root !== 'event' && root !== 'handler'))
    throw new TemplateProblem(text, at, 'the path between the braces must start with event. or handler.');
  // Arithmetic inside the braces is a common mistake and gets its own message; a hyphen within a name is allowed.
  const sign = /[-+*/](?=\s*[\w(])/.exec(token.replaceAll(/[\w]-[\w]/g, '___'));
  if (sign !== null && names.some((name) => /[\s+*/]/.test(name)))
    throw new TemplateProblem(
      text,
      at + sign.index,
      `write only a path between the braces and calculate after them, as in {{ ${root}.amount }} / 2.`,
    );
  if (names.length === 0 || names.length > maxNames || names.some((name) => !/^[\w-]+$/.test(name)))
    throw new TemplateProblem(text, at, `a path consists of names separated by dots, such as ${root}.metadata.fee.`);
  const [first = ''] = names;
  if (!fieldsByRoot[root].has(first))
    throw new TemplateProblem(
      text,
      at,
      `'${first}' is not a field of ${root}. Fields are ${[...fieldsByRoot[root]].join(', ')}.`,
    );
  const fallback = inside[2];
  if (fallback !== undefined && !/^(-?\d+|'[^']*')$/.test(fallback))
    throw new TemplateProblem(text, at, "default must be followed by a whole number or 'text'.");
  if (fallback !== undefined && !fallback.startsWith("'") && !Number.isSafeInteger(Number(fallback)))
    throw new TemplateProblem(text, at + token.lastIndexOf(fallback), tooLarge);
  return { root, names, fallback: fallback?.replace(/^'(.*)'$/s, '$1') };
}
