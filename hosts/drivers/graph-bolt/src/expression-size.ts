/**
 * Refuses statements in which one expression may build too much. A server checks its time limit between rows and counts
 * the memory of rows, but does neither within an expression, so a single one could crash the server (graphs E-38). Sizes
 * are estimated from the text of the statement and its parameters.
 */
import { GraphStoreError, type QueryParameters } from '@pacioli/core/ports';
import { type Span, terminatorAt } from './text-spans.ts';

/** The most elements that the loops of one statement may visit, by this estimate. */
const maxSteps = 5_000_000;
/** The size that a list is assumed to have if its text does not show it. */
const assumedSize = 1_000;
/** The size that a list is assumed to have at most when ranges of the statement may have filled it. */
const maxAssumedSize = 1_000_000;
/** A text has a million times its length after this many doublings. */
const maxDoublings = 20;

/** An expression that visits each element of a list. */
interface Loop {
  readonly list: Span;
  /** The expression evaluated for each element. */
  readonly body: Span;
  readonly until: number;
  /** The accumulator of `reduce`. */
  readonly accumulator?: { readonly name: string; readonly initial: Span };
}

const comprehension = /\[\s*(?:`+|[A-Za-z_]\w*)\s+IN\b/iy;
const predicate = /(?<![\w$.`])(?:all|any|none|single)\s*\(\s*(?:`+|[A-Za-z_]\w*)\s+IN\b/iy;
const reduction = /(?<![\w$.`])reduce\s*\(\s*(`+|[A-Za-z_]\w*)\s*=/iy;
const conversion = /(?<![\w$.`])to(?:String|Integer|Float|Boolean)List\s*\(/iy;
const rangeCall = /(?<![\w$.`])range\s*\(/gi;

/** Throws for a masked statement whose loops over lists may take too long or too much memory. */
export function requireBoundedExpressions(masked: string, parameters: QueryParameters): void {
  const size = new ExpressionSize(masked, parameters);
  if (size.steps([0, masked.length]) > maxSteps)
    throw refused(
      `The lists of one expression may have at most ${maxSteps} elements together, where nested lists multiply. ` +
        'Use UNWIND and aggregate its rows, which may be stopped at the time limit.',
    );
}

class ExpressionSize {
  readonly #text: string;
  readonly #parameters: QueryParameters;
  readonly #assumed: number;

  constructor(text: string, parameters: QueryParameters) {
    this.#text = text;
    this.#parameters = parameters;
    this.#assumed = this.#requireKnownRanges();
  }

  /** The number of elements that the loops within a span of the statement visit. */
  steps([from, until]: Span): number {
    let total = 0;
    for (let at = from; at < until; ) {
      const loop = this.#loopAt(at, until);
      if (loop !== undefined) total += this.#stepsOf(loop);
      at = loop?.until ?? at + 1;
    }
    return total;
  }

  #stepsOf(loop: Loop): number {
    const size = this.#sizeOf(loop.list);
    this.#requireNoDoubling(loop, size);
    return this.steps(loop.list) + size * (1 + this.steps(loop.body));
  }

  #loopAt(at: number, until: number): Loop | undefined {
    const opened = [comprehension, predicate].map((form) => this.#match(form, at)).find((found) => found !== null);
    if (opened != null) return this.#listLoop(opened.index + opened[0].length, until);
    const reduced = this.#match(reduction, at);
    if (reduced !== null) return this.#reductionLoop(reduced, until);
    const converted = this.#match(conversion, at);
    if (converted === null) return undefined;
    const start = converted.index + converted[0].length;
    const end = terminatorAt(this.#text, [start, until], /[)]/);
    return { list: [start, end], body: [end, end], until: end };
  }

  /** The list ends at WHERE, at a bar or at the closing bracket. */
  #listLoop(start: number, until: number): Loop {
    const listEnd = terminatorAt(this.#text, [start, until], /[)\]|]|\bWHERE\b/i);
    const end = terminatorAt(this.#text, [listEnd, until], /[)\]]/);
    return { list: [start, listEnd], body: [listEnd, end], until: end };
  }

  #reductionLoop(found: RegExpExecArray, until: number): Loop {
    const start = found.index + found[0].length;
    const comma = terminatorAt(this.#text, [start, until], /[,)]/);
    const [variable = ''] = /^,?\s*(?:`+|[A-Za-z_]\w*)\s+IN\b/i.exec(this.#text.slice(comma, until)) ?? [];
    const loop = this.#listLoop(comma + variable.length, until);
    return { ...loop, accumulator: { name: found[1] ?? '', initial: [start, comma] } };
  }

  #match(form: RegExp, at: number): RegExpExecArray | null {
    form.lastIndex = at;
    return form.exec(this.#text);
  }

  #sizeOf([from, until]: Span): number {
    const text = this.#text.slice(from, until).trim();
    const parameter = /^\$(\w+)$/.exec(text)?.[1];
    if (parameter !== undefined) {
      const value = this.#parameters[parameter];
      return Array.isArray(value) ? value.length : 1;
    }
    const ranges = [...this.#text.slice(from, until).matchAll(rangeCall)].map(({ 0: call, index }) =>
      this.#rangeSize(from + index + call.length),
    );
    if (ranges.length === 1 && this.#isOneCall([from, until])) return ranges[0] ?? 0;
    if (/^\[[^[\]()]*\]$/.test(text) && !/\bIN\b/i.test(text)) return text.split(',').length;
    return ranges.reduce((sum, size) => sum + size, this.#assumed);
  }

  /** True for a call of `range` and nothing else. */
  #isOneCall([from, until]: Span): boolean {
    const [opening] = /^\s*range\s*\(/i.exec(this.#text.slice(from, until)) ?? [];
    if (opening === undefined) return false;
    const end = terminatorAt(this.#text, [from + opening.length, until], /[)]/);
    return this.#text.slice(end + 1, until).trim() === '';
  }

  /** The size of the range whose arguments start here; `assumedSize` if they are not all numbers. */
  #rangeSize(start: number): number {
    const [low = 0, high = 0, step = 1] = this.#bounds(start).map((bound) => (typeof bound === 'number' ? bound : NaN));
    const size = Math.floor(Math.abs(high - low) / Math.max(1, Math.abs(step))) + 1;
    return Number.isNaN(size) ? assumedSize : size;
  }

  #bounds(start: number): readonly (number | 'size' | 'other')[] {
    const end = terminatorAt(this.#text, [start, this.#text.length], /[)]/);
    const bounds: (number | 'size' | 'other')[] = [];
    for (let at = start; at < end; ) {
      const next = terminatorAt(this.#text, [at, end], /,/);
      bounds.push(this.#bound(this.#text.slice(at, next).trim()));
      at = next + 1;
    }
    return bounds;
  }

  #bound(text: string): number | 'size' | 'other' {
    if (/^[-+]?\s*\d+$/.test(text)) return Number(text.replaceAll(/\s/g, ''));
    const parameter = /^\$(\w+)$/.exec(text)?.[1];
    if (parameter !== undefined) return Number(this.#parameters[parameter] ?? 0);
    return /^(?:size|length)\s*\([^()]*\)(?:\s*[-+]\s*\d{1,6})?$/i.test(text) ? 'size' : 'other';
  }

  /**
   * Refuses ranges of unknown size except after UNWIND, where the server can stop between rows. Returns the size that
   * other lists are assumed to have: a list of collected rows may have as many elements as the product of all ranges.
   */
  #requireKnownRanges(): number {
    let product = 1;
    for (const { 0: call, index } of this.#text.matchAll(rangeCall)) {
      const start = index + call.length;
      if (this.#bounds(start).includes('other') && !/\bUNWIND\s+$/i.test(this.#text.slice(0, index)))
        throw refused(
          'The bounds of range() are whole numbers, parameters, or the size() or length() of something, ' +
            'except directly after UNWIND.',
        );
      product *= Math.max(1, this.#rangeSize(start));
    }
    const given = Object.values(this.#parameters).map((value) => (Array.isArray(value) ? value.length : 0));
    return Math.min(maxAssumedSize, Math.max(assumedSize, product, ...given));
  }

  /** Refuses a text or list that is added to itself for each element: it grows beyond the memory of any server. */
  #requireNoDoubling({ accumulator, body }: Loop, size: number): void {
    if (accumulator === undefined || size <= maxDoublings) return;
    const { name, initial } = accumulator;
    const text = this.#text.slice(...body);
    const isNumeric = /^\s*[-+]?[\d.]+\s*$/.test(this.#text.slice(...initial)) && !/['[`]/.test(text);
    const uses = text.matchAll(new RegExp(`(?<![\\w$.])${name}(?!\\w)`, 'g'));
    const added = [...uses].filter(
      ({ index }) => /\+[\s(]*$/.test(text.slice(0, index)) || /^[\s)]*\+/.test(text.slice(index + name.length)),
    );
    if (isNumeric || added.length < 2) return;
    throw refused('reduce() may add its result to itself only if it is a number: a text or list would double.');
  }
}

function refused(message: string): GraphStoreError {
  return new GraphStoreError('runtime', message);
}
