import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);

/** A file in this package, or a library and the file in it that a page loads (`copy-libraries.mjs` lists them too). */
type Source = readonly [file: string] | readonly [packageName: string, file: string];

/** Every file that a page can load. Other names never reach the file system. */
const sources = {
  'console.css': ['console.css'],
  'consent.css': ['consent.css'],
  'consent.js': ['consent.js'],
  'icon.svg': ['icon.svg'],
  'docs.js': ['docs.js'],
  'explorer.js': ['explorer.js'],
  'swagger-ui.css': ['swagger-ui-dist', 'swagger-ui.css'],
  'swagger-ui.js': ['swagger-ui-dist', 'swagger-ui-bundle.js'],
  'graphiql.css': ['graphiql', 'graphiql.min.css'],
  'graphiql.js': ['graphiql', 'graphiql.min.js'],
  'react.js': ['react', 'umd/react.production.min.js'],
  'react-dom.js': ['react-dom', 'umd/react-dom.production.min.js'],
} as const satisfies Readonly<Record<string, Source>>;

export type AssetName = keyof typeof sources;

/** A file of a page of a plugin. */
export type PageFile = `page-${string}`;

interface AssetFile {
  readonly path: string;
  readonly contentType: string;
  /** Changes with the content, so that browsers can cache the file forever. */
  readonly version: string;
}

const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Finds the files of the pages. Reads nothing before the first request. */
export class Assets {
  readonly #files = new Map<string, AssetFile>();
  /** Compressed files, each made once: requests are public and compression is expensive. */
  readonly #compressed = new Map<string, Promise<Buffer>>();
  readonly #require = createRequire(import.meta.url);
  readonly #pageFiles: ReadonlyMap<string, URL>;

  constructor(pageFiles: ReadonlyMap<string, URL> = new Map()) {
    this.#pageFiles = pageFiles;
  }

  /** The path of a file below the folder of the assets. */
  pathOf(name: AssetName | PageFile): string {
    return `${this.#find(name).version}/${name}`;
  }

  /** Returns the bytes for a path from `pathOf`; undefined for any other path. */
  open(path: string, isGzipTaken: boolean): AssetAnswer | undefined {
    const [version = '', name = '', ...rest] = path.split('/');
    if (rest.length > 0 || !(isAssetName(name) || this.#pageFiles.has(name))) return undefined;
    const file = this.#find(name);
    if (file.version !== version) return undefined;
    const headers = {
      'Content-Type': file.contentType,
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
      ...(isGzipTaken ? { 'Content-Encoding': 'gzip' } : {}),
    };
    return { headers, read: () => (isGzipTaken ? this.#readCompressed(name, file) : createReadStream(file.path)) };
  }

  #readCompressed(name: string, { path }: AssetFile): Readable {
    const bytes = this.#compressed.get(name) ?? readFile(path).then((file) => compress(file));
    this.#compressed.set(name, bytes);
    // Lets the next request retry a file that could not be read.
    bytes.catch(() => this.#compressed.delete(name));
    return Readable.from(once(bytes));
  }

  #find(name: string): AssetFile {
    const known = this.#files.get(name);
    if (known !== undefined) return known;
    const file = isAssetName(name) ? this.#locate(sources[name]) : versioned(this.#pageFiles.get(name));
    const found = { ...file, contentType: contentTypes[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream' };
    this.#files.set(name, found);
    return found;
  }

  #locate([owner, file]: Source): Omit<AssetFile, 'contentType'> {
    if (file === undefined) {
      return versioned(new URL(`./browser/${owner}`, import.meta.url));
    }
    // The published package has copies, because the libraries weigh thirty times as much as their few files.
    const shipped = new URL(`./libraries/${owner}/${basename(file)}`, import.meta.url);
    if (existsSync(shipped)) return versioned(shipped);
    const manifest = this.#require.resolve(`${owner}/package.json`);
    // A package names its version in its own manifest.
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string };
    return { path: join(dirname(manifest), file), version };
  }
}

interface AssetAnswer {
  readonly headers: Readonly<Record<string, string>>;
  read(): Readable;
}

/** A file whose version is a hash of its content. */
function versioned(url: URL | undefined): Omit<AssetFile, 'contentType'> {
  if (url === undefined) throw new Error('A page loads a file that is not its own.');
  const path = fileURLToPath(url);
  return { path, version: createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 12) };
}

function isAssetName(name: string): name is AssetName {
  return Object.hasOwn(sources, name);
}

/** Awaits the bytes only when they are read, so that a failure reaches the stream’s reader. */
async function* once(bytes: Promise<Buffer>): AsyncGenerator<Buffer> {
  yield await bytes;
}
