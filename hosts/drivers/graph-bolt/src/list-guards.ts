/**
 * Bounds the lists of expressions. A server looks at its time limit and counts memory between rows, but does neither
 * within an expression, so one that visits a long list could stop the server (graphs E-38). The bound is part of the
 * statement, so that it holds for the lists that there are, however they were made.
 */
import { GraphStoreError, maskStatement } from '@pacioli/core/ports';
import { type Span, terminatorAt } from './text-spans.ts';

/** The most elements that the loops of one row visit, where nested ones multiply. */
const maxElements = 5_000_000;
/** A text has a million times its length after this many doublings. */
const maxDoublings = 20;

/** What the server fails with at a list that is too long: this text is no date. */
export const tooLongMarker = 'a list of the statement is too long';
export const tooLongMessage =
  `The lists of one expression may have at most ${maxElements} elements together, where nested lists multiply. ` +
  'Use UNWIND and aggregate its rows, which may be stopped at the time limit.';

/** An expression that visits each element of a list. */
interface Loop {
  readonly from: number;
  /** Where the initial value of a reduction begins, and for other loops the list. */
  readonly head: number;
  readonly list: Span;
  /** What is evaluated for each element, until the closing bracket. */
  readonly body: Span;
  readonly accumulator?: string;
}

const comprehension = /\[\s*(?:`+|[A-Za-z_]\w*)\s+IN\b/iy;
const predicate = /(?<![\w$.`])(?:all|any|none|single)\s*\(\s*(?:`+|[A-Za-z_]\w*)\s+IN\b/iy;
const reduction = /(?<![\w$.`])reduce\s*\(\s*(`+|[A-Za-z_]\w*)\s*=/iy;
/** Their first argument has as many elements, or characters, as their answer has at most. */
const conversion = /(?<![\w$.`])(?:split|to(?:String|Integer|Float|Boolean)List)\s*\(/iy;
/** A range is refused in the text already if its bounds are numbers that are far apart (graphs E-13). */
const openRange = /(?<![\w$.`])(?<!\bUNWIND\s+)range\s*\((?!(?:\s*-?\s*\d{1,7}\s*,?){2,3}\))/iy;
/** Lists whose length the text or one path shows. Conditions on paths are left as they are, since the server plans by them. */
const shortList = /^\s*(?:\[[^[\]()]*\]|(?:nodes|relationships|labels|keys)\s*\(\s*\w+\s*\))\s*$/i;

/** The statement with a bound on each list that an expression visits. */
export function withBoundedLists(text: string): string {
  const guards = new ListGuards(text);
  return guards.guarded([0, text.length], []);
}

/** Refuses a text or list that a reduction adds to itself for each element: it grows beyond the memory of any server. */
export function requireNoDoubling(masked: string): void {
  for (let at = 0; at < masked.length; at += 1) {
    const loop = loopAt(masked, [at, masked.length]);
    if (loop?.accumulator === undefined || isShorterThanDoublings(masked.slice(...loop.list))) continue;
    if (!isDoubled(loop.accumulator, masked.slice(loop.head, loop.list[0]), masked.slice(...loop.body))) continue;
    throw new GraphStoreError(
      'runtime',
      'reduce() may add its result to itself only if it is a number: a text or list would double. ' +
        'Begin with a number, as in reduce(x = toFloat(a.d), …).',
    );
  }
}

class ListGuards {
  readonly #text: string;
  readonly #masked: string;
  readonly #prefix: string;
  readonly #most: number;

  constructor(text: string) {
    this.#text = text;
    this.#masked = maskStatement(text).text;
    this.#prefix = 'pacioli_list';
    while (text.includes(this.#prefix)) this.#prefix += '_';
    this.#most = Math.floor(maxElements / Math.max(1, this.#outermostLoops()));
  }

  /** A span of the statement with its bounds; `outer` are the lists of the loops around it. */
  guarded([from, until]: Span, outer: readonly string[]): string {
    let written = '';
    let copied = from;
    for (let at = from; at < until; ) {
      const loop = loopAt(this.#masked, [at, until]);
      const end = loop === undefined ? this.#endOfRange(at, until) : loop.body[1] + 1;
      if (end !== undefined) {
        const bounded = loop === undefined ? this.#range([at, end], outer) : this.#loop(loop, outer);
        written += this.#text.slice(copied, at) + bounded;
        copied = end;
      }
      at = end ?? at + 1;
    }
    return written + this.#text.slice(copied, until);
  }

  #loop(loop: Loop, outer: readonly string[]): string {
    const opening = this.#text.slice(loop.from, loop.head) + this.guarded([loop.head, loop.list[0]], outer);
    const list = this.guarded(loop.list, outer);
    const closing = this.#text.charAt(loop.body[1]);
    const isOnly = outer.length === 0 && !this.#hasLoop(loop.body);
    if (isOnly && shortList.test(this.#masked.slice(...loop.list)))
      return `${opening}${list}${this.#text.slice(...loop.body)}${closing}`;
    const name = this.#name(outer);
    const lists = [...outer, name];
    return this.#bounded(name, list, lists, `${opening} ${name} ${this.guarded(loop.body, lists)}${closing}`);
  }

  #range([from, end]: Span, outer: readonly string[]): string {
    const opening = this.#masked.indexOf('(', from) + 1;
    const name = this.#name(outer);
    const list = this.#text.slice(from, opening) + this.guarded([opening, end], outer);
    return this.#bounded(name, list, [name], name);
  }

  /** Gives a list a name and compares its size before the loop begins; null remains null. */
  #bounded(name: string, list: string, lists: readonly string[], loop: string): string {
    const size = lists.map((each) => `size([] + ${each})`).join(' * ');
    const guard = `CASE WHEN ${size} > ${this.#most} THEN date('${tooLongMarker}') IS NULL ELSE true END`;
    return `head([${name} IN [${list}] WHERE ${guard} | ${loop}])`;
  }

  /** Equal expressions of a statement get equal names, so that they stay equal. */
  #name(outer: readonly string[]): string {
    return `${this.#prefix}_${outer.length + 1}`;
  }

  #endOfRange(at: number, until: number): number | undefined {
    const found = matchAt(openRange, this.#masked, at);
    return found === null ? undefined : terminatorAt(this.#masked, [at + found[0].length, until], /[)]/) + 1;
  }

  #outermostLoops(): number {
    let count = 0;
    for (let at = 0; at < this.#masked.length; at += 1) {
      const loop = loopAt(this.#masked, [at, this.#masked.length]);
      if (loop === undefined) continue;
      count += 1;
      at = loop.body[1];
    }
    return count;
  }

  #hasLoop([from, until]: Span): boolean {
    for (let at = from; at < until; at += 1) if (loopAt(this.#masked, [at, until]) !== undefined) return true;
    return false;
  }
}

/** The loop that begins at the start of a span of a masked statement. */
function loopAt(masked: string, [at, until]: Span): Loop | undefined {
  const opened = matchAt(comprehension, masked, at) ?? matchAt(predicate, masked, at);
  if (opened !== null) {
    const loop = listLoop(masked, at, [at + opened[0].length, until]);
    return masked.charAt(loop.list[1]) === ',' ? undefined : loop; // A list of conditions, as in [x IN a, y IN b].
  }
  const reduced = matchAt(reduction, masked, at);
  if (reduced !== null) {
    const head = at + reduced[0].length;
    const comma = terminatorAt(masked, [head, until], /[,)]/);
    const [variable = ''] = /^,?\s*(?:`+|[A-Za-z_]\w*)\s+IN\b/i.exec(masked.slice(comma, until)) ?? [];
    return { ...listLoop(masked, at, [comma + variable.length, until]), head, accumulator: reduced[1] ?? '' };
  }
  const converted = matchAt(conversion, masked, at);
  if (converted === null) return undefined;
  const head = at + converted[0].length;
  const list: Span = [head, terminatorAt(masked, [head, until], /[,)]/)];
  return { from: at, head, list, body: [list[1], terminatorAt(masked, [head, until], /[)]/)] };
}

/** The list ends at WHERE, at a bar or at the closing bracket. Two bars join lists. */
const listEnd = /[,)\]]|(?<!\|)\|(?!\|)|\bWHERE\b/i;

function listLoop(masked: string, from: number, [start, until]: Span): Loop {
  const list: Span = [start, terminatorAt(masked, [start, until], listEnd)];
  return { from, head: start, list, body: [list[1], terminatorAt(masked, [list[1], until], /[)\]]/)] };
}

function matchAt(form: RegExp, masked: string, at: number): RegExpExecArray | null {
  form.lastIndex = at;
  return form.exec(masked);
}

function isShorterThanDoublings(list: string): boolean {
  const [, low, high] = /^\s*range\s*\(\s*(\d+)\s*,\s*(\d+)\s*\)\s*$/i.exec(list) ?? [];
  if (low !== undefined) return Number(high) - Number(low) < maxDoublings;
  return /^\s*\[[^[\]()]*\]\s*$/.test(list) && list.split(',').length <= maxDoublings;
}

const numericStart = /^\s*(?:[-+]?[\d.]+|(?:1\.0|1)\s*\*[^+]*|(?:toFloat|toInteger|size|abs|round)\s*\([^()]*\))\s*,/i;

/** True if a result that may be a text or list is added to itself. Multiplied or divided, it is a number. */
function isDoubled(accumulator: string, initial: string, body: string): boolean {
  const uses = [...body.matchAll(new RegExp(`(?<![\\w$.])${accumulator}(?!\\w)`, 'g'))];
  const isNumber = uses.some(
    ({ index }) =>
      /[-*/%^][\s(]*$/.test(body.slice(0, index)) || /^[\s)]*[-*/%^]/.test(body.slice(index + accumulator.length)),
  );
  if (isNumber || (numericStart.test(initial) && !/['[`]/.test(body))) return false;
  const added = uses.filter(
    ({ index }) => /\+[\s(]*$/.test(body.slice(0, index)) || /^[\s)]*\+/.test(body.slice(index + accumulator.length)),
  );
  return added.length >= 2;
}
