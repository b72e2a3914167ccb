// Goal: everything printed in the documents is correct. Method: code blocks with a path are compared with that file,
// and every file, command and script that a document names must exist; `commands.test.ts` runs the commands.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blocksOf, documents, root, snippetsOf, walkthrough } from './documents.ts';

/** The test that runs the snippets of a language in a document, or compares what is printed with what happens. */
const ranBy: Readonly<Record<string, string>> = {
  'README.md sh': 'docs/test/commands.test.ts',
  'conformance/README.md text': 'docs/test/documents.test.ts',
  'conformance/README.md ts': 'hosts/standalone/test/plugin-tables.test.ts',
  'core/README.md sql': 'core/test/plugin-tables.test.ts',
  'core/README.md text': 'core/src/assembly/set-problems.test.ts',
  'core/README.md ts': 'core/test/plugin-tables.test.ts',
  'docs/guide/01-first-plugin.md sh': 'docs/test/commands.test.ts',
  'docs/guide/01-first-plugin.md text': 'core/test/plugin-tables.test.ts',
  'docs/guide/02-a-month-of-books.md python': 'conformance/test/python-client.test.ts',
  'docs/guide/02-a-month-of-books.md text': 'conformance/test/python-client.test.ts',
  'docs/guide/03-outside-systems.md sh': 'docs/test/commands.test.ts',
  'docs/guide/06-deployment.md text': 'hosts/create-pacioli/test/packed-packages.test.ts',
  'docs/guide/08-files-to-a-graph.md python': 'conformance/test/python-client.test.ts',
  'docs/guide/08-files-to-a-graph.md text': 'conformance/test/python-client.test.ts',
  'docs/guide/09-another-graph-engine.md text': 'hosts/standalone/test/graph-servers.test.ts',
  'docs/guide/10-sharing-reports.md text': 'plugins/reporting/test/sharing-guide.test.ts',
  'docs/guide/11-a-portfolio.md python': 'conformance/test/python-client.test.ts',
  'docs/guide/11-a-portfolio.md text': 'conformance/test/python-client.test.ts',
  'docs/guide/16-operators.md json': 'hosts/standalone/test/operators-guide.test.ts',
  'docs/guide/14-ai-clients.md http': 'plugins/mcp/test/guide.test.ts',
  'docs/guide/14-ai-clients.md json': 'plugins/mcp/test/guide.test.ts',
  'docs/guide/13-memory.md text': 'plugins/memory/test/memory-guide.test.ts',
  'docs/guide/15-sign-in-for-ai-clients.md text': 'plugins/mcp/test/sign-in-guide.test.ts',
  'docs/guide/12-documents-and-search.md text': 'plugins/search/test/guide.test.ts',
  'hosts/drivers/store-postgres/README.md sql': 'hosts/drivers/store-postgres/src/postgres-store.test.ts',
  'plugins/ledger/README.md json': 'plugins/ledger/test/readme-handler.test.ts',
};

describe('documents', () => {
  it('print files verbatim', () => {
    const printed = documents.flatMap((document) => [...blocksOf(document, 'ts'), ...blocksOf(document, 'sql')]);
    const withPath = printed
      .map((block) => /^(?:\/\/|--) (\S+)\n([\s\S]*)$/.exec(block))
      .filter((match) => match !== null);
    expect(withPath.length).toBeGreaterThanOrEqual(9);
    for (const [, path = '', text = ''] of withPath)
      expect(`${path}\n${text.trimEnd()}`).toBe(`${path}\n${readFileSync(join(root, path), 'utf8').trimEnd()}`);
  });

  it('print no snippet that no test runs', () => {
    const unknown = documents.flatMap((document) =>
      snippetsOf(document)
        // A drawing has no language, and a block with a path is compared with that file, above.
        .filter(({ language, text }) => language !== '' && !/^(?:\/\/|--) \S+\n/.test(text))
        .map(({ language }) => `${document} ${language}`)
        .filter((snippet) => !(snippet in ranBy)),
    );
    expect(unknown).toEqual([]);
    for (const [snippet, test] of Object.entries(ranBy)) {
      const [document = '', language = ''] = snippet.split(' ');
      expect(snippetsOf(document).map((each) => each.language)).toContain(language);
      expect(existsSync(join(root, test))).toBe(true);
    }
  });

  it('name existing files and folders', () => {
    for (const document of documents) {
      const named = [
        ...readFileSync(join(root, document), 'utf8').matchAll(
          /`((?:core|plugins|hosts|docs|conformance|benchmarks)\/[A-Za-z0-9_./-]+)`/g,
        ),
      ];
      for (const [, path = ''] of named)
        expect({ document, path, isRegistered: existsSync(join(root, path)) }).toEqual({
          document,
          path,
          isRegistered: true,
        });
    }
  });

  it('name existing options of pacioli-conformance', () => {
    const [synopsis = ''] = blocksOf('conformance/README.md', 'text');
    const program = readFileSync(join(root, 'conformance/src/cli.ts'), 'utf8');
    const known = [...program.matchAll(/ption\('(--[a-z-]+)/g)].map(([, name]) => name);
    const printed = [...synopsis.matchAll(/--[a-z-]+/g)].map(([name]) => name);
    expect(printed).toContain('--url');
    expect(known).toEqual(expect.arrayContaining(printed));
  });

  it('name existing npm scripts, of the repository or of their package', () => {
    const scriptsIn = (folder: string): readonly string[] => {
      const manifest = join(root, folder, 'package.json');
      if (!existsSync(manifest)) return [];
      return Object.keys((JSON.parse(readFileSync(manifest, 'utf8')) as { readonly scripts?: object }).scripts ?? {});
    };
    for (const document of documents) {
      // The guide of plugins names the scripts of a created plugin too.
      const known = ['.', 'plugins/template', dirname(document)].flatMap(scriptsIn);
      for (const [, name = ''] of readFileSync(join(root, document), 'utf8').matchAll(
        /npm run (?:--silent )?([a-z:]+)/g,
      ))
        expect(known).toContain(name);
    }
  });

  it('print only shell commands that `commands.test.ts` runs', () => {
    const commands = documents
      .filter((document) => document !== walkthrough)
      .flatMap((document) => blocksOf(document, 'sh'))
      .flatMap((block) => block.trim().split('\n'));
    expect(new Set(commands)).toEqual(
      new Set([
        'npm start',
        'npm test', // This suite.
        'npm run --silent pacioli -- import-journal books.beancount --url http://127.0.0.1:8000 --api-key KEY --graph-name Books',
        'npx vitest run plugins/template',
      ]),
    );
  });
});
