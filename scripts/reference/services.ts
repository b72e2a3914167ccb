import type { Plugin } from '../../core/src/index.ts';
import type { Declarations, NamedType, TokenSource } from './declarations.ts';
import { block, code, facts, linkTo, type Page, page, prose, table } from './markdown.ts';

/** A token that a package exports. */
export interface PublicToken {
  readonly id: string;
  /** How to import it: `kernel.store` or `bookkeeping`. */
  readonly name: string;
  readonly module: string;
  readonly isCollection: boolean;
}

/** The tokens among the exports of a module; a group such as `kernel` is an object of tokens. */
export function tokensIn(module: string, exports: Readonly<Record<string, unknown>>): readonly PublicToken[] {
  return Object.entries(exports).flatMap(([name, value]) => {
    if (typeof value !== 'object' || value === null) return [];
    const members = isToken(value)
      ? [[name, value] as const]
      : Object.entries(value).map(([member, each]) => [`${name}.${member}`, each as unknown] as const);
    return members.flatMap(([path, each]) =>
      isToken(each) ? [{ id: each.id, name: path, module, isCollection: 'collection' in each }] : [],
    );
  });
}

function isToken(value: unknown): value is { readonly id: string; readonly key: symbol } {
  if (typeof value !== 'object' || value === null || !('id' in value) || !('key' in value)) return false;
  return typeof value.id === 'string' && typeof value.key === 'symbol';
}

export interface ServicesPage extends Page {
  /** The page of the types that they name. */
  readonly types: Page;
  readonly problems: readonly string[];
}

/** The page of the services and collections that packages share, from their tokens and the types behind these. */
export function servicesPage(
  tokens: readonly PublicToken[],
  declarations: Declarations,
  plugins: readonly Plugin[],
): ServicesPage {
  const sorted = [...new Map(tokens.map((token) => [token.id, token])).values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const sources = declarations.tokens(new Set(sorted.map(({ id }) => id)));
  const services = sorted.filter(({ isCollection }) => !isCollection);
  const collections = sorted.filter(({ isCollection }) => isCollection);
  const head = (each: readonly PublicToken[]): readonly string[] =>
    table(
      ['Token', 'Import', 'What it is'],
      each.map((token) => [
        linkTo('', token.id),
        `${code(token.name)} from ${code(token.module)}`,
        prose(firstSentence(meaningOf(sources.get(token.id)) ?? '')),
      ]),
    );
  return {
    ...page('services', 'Services and collections', [
      'A part names the tokens that it uses in `services` and gets the services in `use`. A plugin replaces none of them;',
      'it adds entries to collections with `contribute`. Everything here is public; other services are not reachable.',
      'The types that they name are on [a page of their own](service-types.md).',
      '',
      '## Services',
      '',
      ...head(services),
      '## Collections',
      '',
      ...head(collections),
      '## Each service',
      '',
      ...services.flatMap((token) => entry(token, sources.get(token.id), plugins)),
      '## Each collection',
      '',
      ...collections.flatMap((token) => entry(token, sources.get(token.id), plugins)),
    ]),
    types: page('service-types', 'Types of services', [
      'The types that [services and collections](services.md) name, directly or through each other, by name.',
      '',
      ...typesOf(sources).flatMap((type) => [
        `## ${type.name}`,
        '',
        ...(type.comment === undefined ? [] : [prose(type.comment), '']),
        ...block('ts', type.text),
      ]),
    ]),
    problems: sorted
      .filter(({ id }) => meaningOf(sources.get(id)) === undefined)
      .map(({ id }) => `The service "${id}" needs a doc comment above its token or its type: what it is for.`),
  };
}

/** Every type once; of two with one name in different files, both. */
function typesOf(sources: ReadonlyMap<string, TokenSource>): readonly NamedType[] {
  const each = [...sources.values()].flatMap(({ types }) => types);
  const own = new Set([...sources.values()].map(({ type }) => type?.text));
  const once = new Map(each.filter(({ text }) => !own.has(text)).map((type) => [`${type.name} ${type.path}`, type]));
  return [...once].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, type]) => type);
}

/** The comment of the type and that of the token, which may say more. */
function meaningOf(source: TokenSource | undefined): string | undefined {
  const comments = [source?.type?.comment, source?.comment].filter((comment) => comment !== undefined);
  return comments.length === 0 ? undefined : comments.join(' ');
}

function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;
}

function entry(token: PublicToken, source: TokenSource | undefined, plugins: readonly Plugin[]): readonly string[] {
  const provider = plugins.find(({ providers }) => providers.some((each) => each.token.id === token.id));
  const entries = plugins.flatMap(({ name, contributions }) =>
    contributions.filter(({ collection }) => collection.id === token.id).map(({ key }) => `${code(key)} (${name})`),
  );
  const text = source?.type?.text ?? `type Service = ${source?.text ?? 'unknown'};`;
  return [
    `### ${token.id}`,
    '',
    prose(meaningOf(source) ?? ''),
    '',
    ...facts([
      ['Import', `${code(token.name)} from ${code(token.module)}`],
      ['Provided by', token.isCollection ? undefined : (provider?.name ?? 'the host')],
      ['Entries', entries.join(', ')],
    ]),
    ...block('ts', text),
  ];
}
