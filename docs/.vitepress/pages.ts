/** The pages of the site, and the links between them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

interface SidebarItem {
  readonly text: string;
  readonly link: string;
}

/** The folders of a package, and those that have packages below them. */
const packageFolders = [
  'core',
  'conformance',
  'benchmarks',
  ...below('plugins'),
  ...below('hosts'),
  ...below('hosts/drivers'),
];

/** Address of each page by its Markdown file; both relative, to the root of the site and of the repository. */
export const addresses: Readonly<Record<string, string>> = Object.fromEntries([
  ['docs/index.md', 'index.md'],
  ['docs/glossary.md', 'glossary.md'],
  ['README.md', 'overview.md'],
  ['CONTRIBUTING.md', 'contributing.md'],
  ['SECURITY.md', 'security.md'],
  ...['guide', 'reference', 'spec', 'decisions'].flatMap((folder) =>
    markdownIn(`docs/${folder}`).map((file) => [`docs/${folder}/${file}`, `${folder}/${file}`]),
  ),
  ...packageFolders
    .filter((folder) => existsSync(join(root, folder, 'README.md')))
    .map((folder) => [`${folder}/README.md`, `packages/${posix.basename(folder)}.md`]),
]);

const files: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(addresses).map(([file, address]) => [address, file]),
);

/** The Markdown file of a page; the builder names a page by its address in some places, by its file in others. */
export function fileOf(page: string): string {
  return files[page] ?? page;
}

/** The pages of one section, by address, with the text of their first heading. */
export function pagesOf(section: string): readonly SidebarItem[] {
  return Object.entries(addresses)
    .filter(([, address]) => address.startsWith(`${section}/`))
    .map(([file, address]) => ({ text: titleOf(file), link: linkOf(address) }))
    .sort((a, b) => (a.link < b.link ? -1 : 1));
}

/** What a link in a page becomes: another page, or nothing, because the file is not on the site. */
export function pageLink(href: string, file: string): string | undefined {
  const [path = '', anchor] = href.split('#');
  const address = addresses[posix.join(posix.dirname(file), path)];
  return address === undefined ? undefined : linkOf(address) + (anchor === undefined ? '' : `#${anchor}`);
}

function linkOf(address: string): string {
  return `/${address.replace(/(?:(?<=^|\/)index)?\.md$/, '')}`;
}

export function titleOf(file: string): string {
  const heading = /^# (.+)$/m.exec(readFileSync(join(root, file), 'utf8'))?.[1] ?? posix.basename(file, '.md');
  return heading.replaceAll('`', '').replaceAll(/\\(.)/g, '$1');
}

function markdownIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .sort();
}

function below(folder: string): readonly string[] {
  return readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
}
