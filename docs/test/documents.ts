import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The documents that a new user reads first. */
export const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'core/README.md',
  'plugins/graph/README.md',
  'plugins/ledger/README.md',
  ...readdirSync(join(root, 'docs/guide')).map((name) => `docs/guide/${name}`),
];

/** A page whose commands are run verbatim and in order on the demo company. */
export const walkthrough = 'docs/guide/03-outside-systems.md';

/** The code blocks of a document in one language. */
export function blocksOf(document: string, language: string): readonly string[] {
  const text = readFileSync(join(root, document), 'utf8');
  return [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, block]) => block ?? '');
}
