import type { Directive, MetadataValue, ParsedPosting } from './directives.ts';
import { journalLimits } from './limits.ts';
import { addMetadata } from './parse-metadata.ts';
import { readPosting } from './parse-posting.ts';
import { LineError, TokenReader } from './token-reader.ts';
import type { TokenLine } from './tokens.ts';

/** The tags, links and metadata pushed before a transaction. */
interface PushedContext {
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, MetadataValue>>;
}

interface TransactionStart {
  readonly file: string;
  readonly line: number;
  readonly date: string;
  readonly flag: string;
}

/** Runs the parser of one line and records its errors under that line. */
type AtLine = (line: number, read: () => void) => void;

/** Parses a transaction from the strings after its flag to its last posting. */
export function readTransaction(
  reader: TokenReader,
  body: readonly TokenLine[],
  start: TransactionStart,
  context: PushedContext & { readonly atLine: AtLine },
): Directive {
  const strings: string[] = [];
  while (reader.isNext('string')) {
    strings.push(reader.expect('string', 'a string').text);
    reader.take('punctuation', '|');
  }
  if (strings.length > 2) throw new LineError('a transaction has at most a payee and a narration; join the strings.');
  const tags = new Set<string>(context.tags);
  const links = new Set<string>();
  readTagsAndLinks(reader, tags, links);
  reader.requireEnd();
  const metadata: Record<string, MetadataValue> = {};
  const postings: ParsedPosting[] = [];
  for (const line of body) {
    context.atLine(line.line, () => readTransactionLine(line, { postings, metadata, tags, links }));
  }
  return {
    ...start,
    kind: 'transaction',
    payee: strings.length === 2 ? (strings[0] ?? null) : null,
    narration: strings.at(-1) ?? '',
    tags: [...tags],
    links: [...links],
    metadata: { ...context.metadata, ...metadata },
    postings,
  };
}

interface TransactionParts {
  readonly postings: ParsedPosting[];
  readonly metadata: Record<string, MetadataValue>;
  readonly tags: Set<string>;
  readonly links: Set<string>;
}

function readTransactionLine(line: TokenLine, parts: TransactionParts): void {
  const reader = new TokenReader(line);
  if (reader.isNext('key')) {
    const last = parts.postings.pop();
    const target = last === undefined ? parts.metadata : { ...last.metadata };
    addMetadata(target, reader);
    if (last !== undefined) parts.postings.push({ ...last, metadata: target });
    return;
  }
  if (reader.isNext('tag') || reader.isNext('link')) {
    if (parts.postings.length > 0) throw new LineError('tags and links stand before the first posting; move them up.');
    readTagsAndLinks(reader, parts.tags, parts.links);
    reader.requireEnd();
    return;
  }
  if (parts.postings.length >= journalLimits.maxPostingsPerTransaction) {
    throw new LineError(`a transaction may have at most ${journalLimits.maxPostingsPerTransaction} postings.`);
  }
  parts.postings.push(readPosting(reader, line.line));
}

function readTagsAndLinks(reader: TokenReader, tags: Set<string>, links: Set<string>): void {
  while (reader.isNext('tag') || reader.isNext('link')) {
    const tag = reader.take('tag');
    if (tag === null) links.add(reader.expect('link', 'a link').text);
    else tags.add(tag.text);
  }
}
