// Goal: everything printed in the documents is correct. Method: code blocks with a path are compared with that file,
// and every file, command and script that a document names must exist; `commands.test.ts` runs the commands.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blocksOf, documents, root, walkthrough } from './documents.ts';

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

  it('name existing npm scripts', () => {
    // The guide of plugins names the scripts of a created plugin too.
    const scripts = ['package.json', 'plugins/template/package.json'].flatMap((path) => {
      const manifest = JSON.parse(readFileSync(join(root, path), 'utf8')) as { scripts: Record<string, string> };
      return Object.keys(manifest.scripts);
    });
    for (const document of documents) {
      for (const [, name = ''] of readFileSync(join(root, document), 'utf8').matchAll(
        /npm run (?:--silent )?([a-z:]+)/g,
      ))
        expect(scripts).toContain(name);
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
