/** Checks every citation of a rule, and generates the page that lists the tests for each rule. */
import { basename, posix } from 'node:path';
import { type Citation, citationsIn, resolve } from './rules-citations.ts';
import { bareComments } from './rules-comments.ts';
import { homeOf, isTest, type SourceFile } from './rules-files.ts';
import { firstWords, readDocument, type SpecDocument } from './rules-spec.ts';

const page = 'docs/reference/rules.md';
const maxOpeningLength = 90;

export interface RuleReference {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly text: string;
  /** Each with its file and line; a repository with any of them fails the check. */
  readonly problems: readonly string[];
}

/** The test files that cite a rule or section, by `<document> <id>`. */
type Tests = ReadonlyMap<string, ReadonlySet<string>>;

export function ruleReference(files: readonly SourceFile[]): RuleReference {
  const documents = files.flatMap(({ path, text }) => {
    const name = /^docs\/spec\/(.+)\.md$/.exec(path)?.[1];
    return name === undefined ? [] : [readDocument(name, text)];
  });
  const names = documents.map(({ name }) => name);
  const problems: string[] = [];
  const tests = new Map<string, Set<string>>();
  for (const { path, text } of files) {
    for (const citation of citationsIn(text, names)) {
      const problem = record(citation, path, documents, tests);
      if (problem !== undefined) problems.push(`${path}:${citation.line}: ${problem}`);
    }
    for (const line of isReleased(path) ? [] : bareComments(path, text, names)) {
      problems.push(`${path}:${line}: The comment is nothing but a citation. Say why; the id may follow.`);
    }
  }
  return { path: page, text: render(documents, tests), problems };
}

/** Released migrations keep their comments: a store refuses a released file with any change. */
function isReleased(path: string): boolean {
  return path.includes('/migrations/') && path.endsWith('.sql');
}

function record(
  citation: Citation,
  path: string,
  documents: readonly SpecDocument[],
  tests: Map<string, Set<string>>,
): string | undefined {
  const resolved = resolve(citation, homeOf(path), documents);
  if (resolved === undefined) return undefined;
  if ('problem' in resolved) return resolved.problem;
  if (!isTest(path)) return undefined;
  for (const target of resolved.targets) {
    const key = `${resolved.document} ${target}`;
    tests.set(key, (tests.get(key) ?? new Set()).add(path));
  }
  return undefined;
}

function render(documents: readonly SpecDocument[], tests: Tests): string {
  const withRules = documents.filter(({ rules }) => rules.length > 0);
  const lines = [
    '# Rules and the tests that cite them',
    '',
    'Written by `npm run gen`; do not edit. The rules themselves are in [`docs/spec`](../spec). A test cites a rule by',
    'its document and id, such as `(ledger L-70)`. The rules that no test cites are listed at the end.',
    '',
    ...table(
      ['Document', 'Subject', 'Rules', 'Cited by a test', 'Not cited'],
      withRules.map((document) => counts(document, tests)),
    ),
    ...withRules.flatMap((document) => chapter(document, tests)),
    '',
    '## Rules without a test',
    '',
    ...table(
      ['Document', 'Rules that no test cites'],
      withRules.map((document) => [document.name, uncited(document, tests).join(', ') || 'none']),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

function counts(document: SpecDocument, tests: Tests): readonly string[] {
  const { name, title, rules } = document;
  const without = uncited(document, tests).length;
  const numbers = [rules.length, rules.length - without, without].map(String);
  return [`[${name}](../spec/${name}.md)`, escaped(title), ...numbers];
}

function chapter({ name, rules, sections }: SpecDocument, tests: Tests): readonly string[] {
  const ruleRows = rules.map(({ id, text }) => [
    id,
    escaped(firstWords(text, maxOpeningLength)),
    links(tests.get(`${name} ${id}`)),
  ]);
  const sectionRows = sections.flatMap(({ number, title }) => {
    const citing = tests.get(`${name} ${number}`);
    return citing === undefined ? [] : [[number, escaped(title), links(citing)]];
  });
  return [
    '',
    `## ${name}`,
    '',
    ...table(['Rule', 'Begins', 'Tests'], ruleRows),
    ...(sectionRows.length === 0 ? [] : ['', ...table(['Section', 'Title', 'Tests'], sectionRows)]),
  ];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

function uncited({ name, rules }: SpecDocument, tests: Tests): readonly string[] {
  return rules.map(({ id }) => id).filter((id) => !tests.has(`${name} ${id}`));
}

function links(paths: ReadonlySet<string> | undefined): string {
  return [...(paths ?? [])]
    .sort()
    .map((path) => `[${nameOf(path)}](${posix.relative(posix.dirname(page), path)})`)
    .join(', ');
}

function nameOf(path: string): string {
  return basename(path).replace(/\.(?:test|case)?\.?(?:ts|py)$/, '');
}

/** Escapes plain text for Markdown, including table cells. */
function escaped(text: string): string {
  return text.replace(/[\\|<>*_[\]~#]/g, '\\$&');
}
