import type { Directive, JournalOption, Metadata, MetadataValue, NamedLine, ParsedJournal } from './directives.ts';
import { journalLimits } from './limits.ts';
import { readHead } from './parse-directive.ts';
import { addMetadata, readKeyValue } from './parse-metadata.ts';
import { takeFlag } from './parse-posting.ts';
import { readTransaction } from './parse-transaction.ts';
import type { JournalProblem } from './problem.ts';
import { LineError, TokenReader } from './token-reader.ts';
import { type TokenLine, tokenize } from './tokens.ts';

interface ParseState {
  readonly file: string;
  readonly problems: JournalProblem[];
  readonly directives: Directive[];
  readonly options: JournalOption[];
  readonly includes: NamedLine[];
  readonly plugins: NamedLine[];
  readonly pushedTags: string[];
  readonly pushedMetadata: Map<string, MetadataValue[]>;
}

/** Parses one file in Beancount syntax. Invalid lines are added to `problems`, each with instructions. */
export function parseJournal(file: string, text: string, problems: JournalProblem[]): ParsedJournal {
  const state: ParseState = {
    file,
    problems,
    directives: [],
    options: [],
    includes: [],
    plugins: [],
    pushedTags: [],
    pushedMetadata: new Map(),
  };
  for (const block of blocksOf(tokenize(file, text, problems), state)) {
    if (state.directives.length >= journalLimits.maxDirectives) {
      const message = `more than ${journalLimits.maxDirectives} directives; split the journal into several imports.`;
      problems.push({ file, line: block.head.line, message });
      break;
    }
    atLine(state, block.head.line, () => readBlock(state, block));
  }
  return state;
}

interface Block {
  readonly head: TokenLine;
  readonly body: TokenLine[];
}

/** A line without indent begins a block; indented lines belong to the block before them. */
function blocksOf(lines: readonly TokenLine[], state: ParseState): Block[] {
  const blocks: Block[] = [];
  for (const line of lines) {
    const current = blocks.at(-1);
    if (!line.isIndented) {
      blocks.push({ head: line, body: [] });
    } else if (current !== undefined) {
      current.body.push(line);
    } else {
      const message = 'this line is indented but follows no directive; remove the indent.';
      state.problems.push({ file: state.file, line: line.line, message });
    }
  }
  return blocks;
}

function atLine(state: ParseState, line: number, read: () => void): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof LineError)) throw error;
    state.problems.push({ file: state.file, line, message: error.message });
  }
}

function readBlock(state: ParseState, block: Block): void {
  const reader = new TokenReader(block.head);
  if (reader.isNext('date')) {
    readDated(state, block, reader);
    return;
  }
  readCommand(state, block.head.line, reader);
  const extra = block.body[0];
  if (extra !== undefined) {
    const message = 'this line is indented but the line before it takes no details; remove the indent.';
    state.problems.push({ file: state.file, line: extra.line, message });
  }
}

function readCommand(state: ParseState, line: number, reader: TokenReader): void {
  const word = reader.take('word')?.text;
  switch (word) {
    case 'option': {
      const name = reader.expect('string', 'the name of the option in quotes').text;
      const value = reader.expect('string', 'the value of the option in quotes').text;
      state.options.push({ file: state.file, line, name, value });
      break;
    }
    case 'include':
      state.includes.push({ line, name: reader.expect('string', 'the file to include in quotes').text });
      break;
    case 'plugin':
      state.plugins.push({ line, name: reader.expect('string', 'the name of the plugin in quotes').text });
      reader.take('string');
      break;
    case 'pushtag':
      state.pushedTags.push(reader.expect('tag', 'a tag such as #trip').text);
      break;
    case 'poptag':
      popTag(state, reader.expect('tag', 'a tag such as #trip').text);
      break;
    case 'pushmeta': {
      const [key, value] = readKeyValue(reader);
      state.pushedMetadata.set(key, [...(state.pushedMetadata.get(key) ?? []), value]);
      break;
    }
    case 'popmeta': {
      const key = reader.expect('key', 'a metadata key such as trip:').text;
      reader.expect('punctuation', 'a colon after the key', ':');
      if (state.pushedMetadata.get(key)?.pop() === undefined) {
        throw new LineError(`popmeta ${key}: without a pushmeta before it; remove it.`);
      }
      break;
    }
    default:
      throw new LineError(
        `${word === undefined ? reader.describeNext() : `"${word}"`} begins no directive; begin with a date ` +
          '(2024-01-31) or one of option, include, plugin, pushtag, poptag, pushmeta, popmeta.',
      );
  }
  reader.requireEnd();
}

function popTag(state: ParseState, tag: string): void {
  const position = state.pushedTags.lastIndexOf(tag);
  if (position === -1) throw new LineError(`poptag #${tag} without a pushtag before it; remove it.`);
  state.pushedTags.splice(position, 1);
}

function requireDate(reader: TokenReader): string {
  const date = reader.expect('date', 'a date').text;
  const parsed = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(parsed.getTime()) || parsed.toISOString().slice(0, 10) !== date) {
    throw new LineError(`${date} is not a day of the calendar; correct the date.`);
  }
  return date;
}

function readDated(state: ParseState, block: Block, reader: TokenReader): void {
  const date = requireDate(reader);
  const base = { file: state.file, line: block.head.line, date };
  const flag = takeFlag(reader) ?? (reader.take('word', 'txn') === null ? null : '*');
  if (flag !== null || reader.isNext('string')) {
    const metadata = [...state.pushedMetadata].map(([key, values]) => [key, values.at(-1) ?? null] as const);
    const directive = readTransaction(
      reader,
      block.body,
      { ...base, flag: flag ?? '*' },
      {
        tags: state.pushedTags,
        metadata: Object.fromEntries(metadata),
        atLine: (line, read) => atLine(state, line, read),
      },
    );
    state.directives.push(directive);
    return;
  }
  const kind = reader.expect('word', 'a directive such as open, balance, pad or *').text;
  const head = readHead(reader, kind);
  reader.requireEnd();
  state.directives.push({ ...base, ...head, metadata: readMetadata(state, block.body) });
}

function readMetadata(state: ParseState, lines: readonly TokenLine[]): Metadata {
  const metadata: Record<string, MetadataValue> = {};
  for (const line of lines) {
    atLine(state, line.line, () => {
      const reader = new TokenReader(line);
      addMetadata(metadata, reader);
    });
  }
  return metadata;
}
