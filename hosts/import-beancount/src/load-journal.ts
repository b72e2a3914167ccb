import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { compareDirectives, type Directive, type JournalOption } from './directives.ts';
import { textField } from './json-fields.ts';
import { journalLimits } from './limits.ts';
import { parseJournal } from './parse-journal.ts';
import { JournalError, type JournalProblem } from './problem.ts';

/** A journal with its includes, the directives in Beancount's order. */
export interface Journal {
  readonly file: string;
  readonly directives: readonly Directive[];
  readonly options: readonly JournalOption[];
  /** Features of the journal that the import does not support, one message each. */
  readonly warnings: readonly JournalProblem[];
}

interface LoadState {
  readonly directives: Directive[];
  readonly options: JournalOption[];
  readonly problems: JournalProblem[];
  readonly warnings: JournalProblem[];
  readonly waiting: string[];
  readonly seen: Set<string>;
  bytes: number;
}

function emptyState(): LoadState {
  return { directives: [], options: [], problems: [], warnings: [], waiting: [], seen: new Set(), bytes: 0 };
}

/** Reads a journal from a file and the files it includes. Throws JournalError when any line cannot be read. */
export async function loadJournal(path: string): Promise<Journal> {
  const state = emptyState();
  const file = resolve(path);
  state.waiting.push(file);
  state.seen.add(file);
  for (let next = state.waiting.shift(); next !== undefined; next = state.waiting.shift()) {
    const text = await readBounded(state, next);
    addFile(state, next, text);
  }
  return finish(state, file);
}

/** Reads a journal from a text; includes are rejected, because a text has no folder. */
export function readJournal(file: string, text: string): Journal {
  const state = emptyState();
  addFile(state, file, text);
  for (const included of state.waiting) {
    state.problems.push({ file, line: 1, message: `cannot include ${included}: the journal is not a file.` });
  }
  return finish(state, file);
}

function finish(state: LoadState, file: string): Journal {
  if (state.problems.length > 0) {
    throw new JournalError(state.problems.toSorted((left, right) => left.line - right.line));
  }
  const directives = state.directives.toSorted(compareDirectives);
  return { file, directives, options: state.options, warnings: state.warnings };
}

async function readBounded(state: LoadState, file: string): Promise<string> {
  const refuse = (message: string): never => {
    throw new JournalError([{ file, line: 1, message }]);
  };
  const found = await stat(file).catch((error: unknown) => refuse(unreadable(error)));
  if (!found.isFile()) return refuse('this is not a file; give the path of a journal.');
  const { size } = found;
  state.bytes += size;
  if (size > journalLimits.maxFileBytes) {
    return refuse(`the file has ${size} bytes, more than ${journalLimits.maxFileBytes}; split it with include.`);
  }
  if (state.bytes > journalLimits.maxTotalBytes) {
    return refuse(`the journal has more than ${journalLimits.maxTotalBytes} bytes; import it in parts.`);
  }
  return await readFile(file, 'utf8').catch((error: unknown) => refuse(unreadable(error)));
}

function unreadable(error: unknown): string {
  const code = textField(error, 'code');
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'there is no such file; check the path.';
  return `the file cannot be read (${code ?? 'unknown reason'}); check the path and its permissions.`;
}

function addFile(state: LoadState, file: string, text: string): void {
  const parsed = parseJournal(file, text, state.problems);
  for (const directive of parsed.directives) state.directives.push(directive);
  for (const option of parsed.options) state.options.push(option);
  for (const plugin of parsed.plugins) {
    const message = `plugin ${plugin.name} is not run; transactions it would add or change are taken as written.`;
    state.warnings.push({ file, line: plugin.line, message });
  }
  for (const include of parsed.includes) {
    if (/[*?[]/.test(include.name)) {
      const message = `patterns in include are not supported; name each file instead of ${include.name}.`;
      state.problems.push({ file, line: include.line, message });
      continue;
    }
    const included = resolve(dirname(file), include.name);
    if (state.seen.has(included)) continue;
    if (state.seen.size >= journalLimits.maxFiles) {
      const message = `more than ${journalLimits.maxFiles} files; join some of them.`;
      state.problems.push({ file, line: include.line, message });
      return;
    }
    state.seen.add(included);
    state.waiting.push(included);
  }
}
