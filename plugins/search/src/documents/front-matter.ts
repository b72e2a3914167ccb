import { characterCount, isStorable } from '@pacioli/core';
import { type Document, isAlias, isMap, parseDocument, visit } from 'yaml';
import { documentLimits } from './document-rules.ts';

/** The facts that a document states about itself; a key that it does not have is absent. */
export interface FrontMatter {
  readonly title?: string;
  readonly tags?: readonly string[];
  readonly folder?: string;
  /** The other keys, as JSON. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface SplitContent {
  readonly frontMatter: FrontMatter;
  /** The content without the front matter. */
  readonly body: string;
}

const maxFrontMatterBytes = 16 * 1024;
/** Signs that may open a value, a list or a mapping; the time of the parser grows with them. */
const maxMarks = 500;

/**
 * Splits front matter from a text (ai-surface D-20): YAML between a first line `---` and the next line that is exactly
 * `---`. Anything else is content: other YAML than a mapping, aliases and anchors, and more than 16 KiB.
 */
export function splitFrontMatter(content: string): SplitContent {
  const whole: SplitContent = { frontMatter: { metadata: {} }, body: content };
  const start = content.trimStart();
  const opening = /^---[ \t]*\r?\n/.exec(start);
  if (opening === null) return whole;
  const text = start.slice(opening[0].length);
  const closing = /^---\r?$/m.exec(text.slice(0, maxFrontMatterBytes + 8));
  if (closing === null) return whole;
  const source = text.slice(0, closing.index);
  if (Buffer.byteLength(source) > maxFrontMatterBytes) return whole;
  const entries = mappingOf(source);
  if (entries === undefined) return whole;
  return { frontMatter: frontMatterOf(entries), body: text.slice(closing.index + closing[0].length) };
}

/** The entries of a YAML mapping of plain values; undefined for anything else. */
function mappingOf(source: string): ReadonlyMap<unknown, unknown> | undefined {
  if ((source.match(/[[{:?]|- /g) ?? []).length > maxMarks) return undefined;
  // The keys are compared below: the parser would compare each with all others.
  const document = parseDocument(source, { schema: 'core', merge: false, uniqueKeys: false, logLevel: 'silent' });
  const { contents, errors, warnings } = document;
  if (errors.length > 0 || warnings.length > 0 || !isMap(contents) || !isPlain(document)) return undefined;
  const value: unknown = document.toJS({ mapAsMap: true, maxAliasCount: 0 });
  return value instanceof Map && value.size === contents.items.length ? value : undefined;
}

function isPlain(document: Document): boolean {
  let isSo = true;
  const refuse = (): symbol => {
    isSo = false;
    return visit.BREAK;
  };
  visit(document, {
    Alias: refuse,
    Node: (_key, node) => (!isAlias(node) && node.anchor !== undefined ? refuse() : undefined),
  });
  return isSo;
}

/** The used keys with values that a request could have, and the other keys with values that can be stored (ai-surface D-21). */
function frontMatterOf(all: ReadonlyMap<unknown, unknown>): FrontMatter {
  const entries = new Map([...all].filter(([key, value]) => isStorable([String(key), plainValue(value)])));
  const title = textWithin(entries.get('title'), documentLimits.titleCharacters);
  const folder = textWithin(entries.get('folder'), documentLimits.folderCharacters);
  const tags = tagsOf(entries.get('tags'));
  const used = new Set(['title', 'tags', 'folder']);
  const others = [...entries].filter(([key]) => typeof key === 'string' && !used.has(key));
  return {
    ...(title === undefined ? {} : { title }),
    ...(folder === undefined ? {} : { folder }),
    ...(tags === undefined ? {} : { tags }),
    metadata: JSON.parse(JSON.stringify(plainValue(new Map(others)))),
  };
}

function textWithin(value: unknown, maxCharacters: number): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).trim();
  return text === '' || characterCount(text) > maxCharacters ? undefined : text;
}

/** A list, or a text with commas; each tag once. */
function tagsOf(value: unknown): readonly string[] | undefined {
  const given = typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(given)) return undefined;
  const tags = given.map((tag) => (typeof tag === 'string' || typeof tag === 'number' ? String(tag).trim() : ''));
  const named = [...new Set(tags.filter((tag) => tag !== ''))];
  const isWithin = named.every((tag) => characterCount(tag) <= documentLimits.tagCharacters);
  return isWithin && named.length <= documentLimits.tags ? named : undefined;
}

/** Maps as objects, whose keys are text in JSON. */
function plainValue(value: unknown): unknown {
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([key, of]) => [String(key), plainValue(of)]));
  }
  return Array.isArray(value) ? value.map(plainValue) : value;
}
