import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addresses, root } from '../.vitepress/pages.ts';

export { root };

/** The documents that tell readers what to do: guides, and the READMEs of the repository and of the packages. */
export const documents = Object.keys(addresses).filter(
  (file) => !/^docs\/(?:reference|spec|decisions)\/|^docs\/index\.md$/.test(file),
);

/** A page whose commands are run verbatim and in order on the demo company. */
export const walkthrough = 'docs/guide/03-outside-systems.md';

/** The code blocks of a document in one language. */
export function blocksOf(document: string, language: string): readonly string[] {
  const text = readFileSync(join(root, document), 'utf8');
  return [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, block]) => block ?? '');
}

/** All code blocks of a document with their language, which may be empty. */
export function snippetsOf(document: string): readonly { readonly language: string; readonly text: string }[] {
  const text = readFileSync(join(root, document), 'utf8');
  return [...text.matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```/gm)].map(([, language = '', block = '']) => ({
    language,
    text: block,
  }));
}
