/** Finds declarations and their doc comments in the sources, without checking types. */
import { posix } from 'node:path';
import ts from 'typescript-api';
import type { SourceFile } from '../rules-files.ts';

/** A declaration as it is written, and the text of its doc comment. */
export interface Declaration {
  readonly path: string;
  readonly text: string;
  readonly comment: string | undefined;
}

/** A token or collection of services where it is created. */
export interface TokenSource extends Declaration {
  readonly id: string;
  /** The declaration of the type of the service or entry, if it has a name of its own. */
  readonly type: Declaration | undefined;
}

/** The comments of an event where it is declared. */
export interface EventComments {
  readonly meaning: string | undefined;
  /** Comments above the fields of its payload, by field. */
  readonly fields: ReadonlyMap<string, string>;
}

/** An import follows at most so many re-exports. */
const maxReExports = 8;

export class Declarations {
  readonly #texts: ReadonlyMap<string, string>;
  /** Source file by the name under which packages import it, such as `@pacioli/core/ports`. */
  readonly #entryPoints: ReadonlyMap<string, string>;
  readonly #parsed = new Map<string, ts.SourceFile>();

  constructor(files: readonly SourceFile[], entryPoints: ReadonlyMap<string, string>) {
    this.#texts = new Map(files.map(({ path, text }) => [path, text]));
    this.#entryPoints = entryPoints;
  }

  /** Every `createToken` and `createCollection` of the sources with these ids. */
  tokens(ids: ReadonlySet<string>): ReadonlyMap<string, TokenSource> {
    const found = new Map<string, TokenSource>();
    for (const { call, path, file } of this.#calls(/\bcreate(?:Token|Collection)\b/)) {
      const token = this.#tokenOf(call, path, file);
      if (token !== undefined && ids.has(token.id)) found.set(token.id, token);
    }
    return found;
  }

  /** The comments of every `defineEvent` of the sources, by the name of the event. */
  events(): ReadonlyMap<string, EventComments> {
    const found = new Map<string, EventComments>();
    for (const { call, file } of this.#calls(/\bdefineEvent\b/)) {
      const [name, payload] = call.arguments;
      if (name === undefined || payload === undefined || !ts.isStringLiteral(name)) continue;
      found.set(name.text, { meaning: commentOf(ownerOf(call)), fields: fieldComments(payload, file) });
    }
    return found;
  }

  /** The calls of functions with such a name, outside of tests. */
  *#calls(name: RegExp): Generator<{ call: ts.CallExpression; path: string; file: ts.SourceFile }> {
    for (const [path, text] of this.#texts) {
      if (!path.endsWith('.ts') || path.endsWith('.test.ts') || !name.test(text)) continue;
      const file = this.#parse(path);
      for (const call of callsIn(file)) {
        if (ts.isIdentifier(call.expression) && name.test(call.expression.text)) yield { call, path, file };
      }
    }
  }

  #tokenOf(node: ts.CallExpression, path: string, file: ts.SourceFile): TokenSource | undefined {
    const [id] = node.arguments;
    if (id === undefined || !ts.isStringLiteral(id)) return undefined;
    const type = typeArgumentOf(node);
    const isNamed = type !== undefined && ts.isTypeReferenceNode(type) && ts.isIdentifier(type.typeName);
    return {
      id: id.text,
      path,
      text: type?.getText(file) ?? '',
      comment: commentOf(ownerOf(node)),
      type: isNamed ? this.find(path, type.typeName.getText(file)) : undefined,
    };
  }

  /** The declaration of a name as a file sees it. */
  find(path: string, name: string, depth = 0): Declaration | undefined {
    if (depth > maxReExports || !this.#texts.has(path)) return undefined;
    const file = this.#parse(path);
    for (const statement of file.statements) {
      if (isNamedDeclaration(statement) && statement.name?.text === name) {
        return { path, text: signatureOf(statement, file), comment: commentOf(statement) };
      }
      const source = sourceOf(statement, name);
      const target = source === undefined ? undefined : this.#resolve(path, source.module);
      if (source !== undefined && target !== undefined) return this.find(target, source.name, depth + 1);
    }
    return undefined;
  }

  #resolve(from: string, module: string): string | undefined {
    return module.startsWith('.') ? posix.join(posix.dirname(from), module) : this.#entryPoints.get(module);
  }

  #parse(path: string): ts.SourceFile {
    const known = this.#parsed.get(path);
    if (known !== undefined) return known;
    const parsed = ts.createSourceFile(path, this.#texts.get(path) ?? '', ts.ScriptTarget.ES2023, true);
    this.#parsed.set(path, parsed);
    return parsed;
  }
}

type NamedDeclaration = ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.ClassDeclaration;

function isNamedDeclaration(node: ts.Node): node is NamedDeclaration {
  return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node);
}

/** The declaration without what callers cannot see: bodies, private members and the word `export`. */
function signatureOf(node: NamedDeclaration, file: ts.SourceFile): string {
  const text = node.getText(file).replace(/^export (?:declare )?/, '');
  if (!ts.isClassDeclaration(node)) return text;
  const members = node.members.flatMap((member) => {
    if (ts.isConstructorDeclaration(member) || member.name === undefined) return [];
    if (ts.isPrivateIdentifier(member.name) || !('body' in member)) return [];
    const end = ts.isMethodDeclaration(member) && member.body !== undefined ? member.body.getStart(file) : member.end;
    const text = file.text.slice(member.getStart(file, true), end).trim();
    return [`  ${text.replace(/^((?:\/\*\*[\s\S]*?\*\/\s*)?)async /, '$1')};`];
  });
  return `interface ${node.name?.text} {\n${members.join('\n')}\n}`;
}

/** `T` of `createToken<T>(…)`, or of `const token: Token<T> = createToken(…)`. */
function typeArgumentOf(call: ts.CallExpression): ts.TypeNode | undefined {
  if (call.typeArguments !== undefined) return call.typeArguments[0];
  const annotation = ts.isVariableDeclaration(call.parent) ? call.parent.type : undefined;
  return annotation !== undefined && ts.isTypeReferenceNode(annotation) ? annotation.typeArguments?.[0] : undefined;
}

/** The module and name behind an imported or re-exported name. */
function sourceOf(node: ts.Statement, name: string): { readonly module: string; readonly name: string } | undefined {
  const named = ts.isImportDeclaration(node)
    ? node.importClause?.namedBindings
    : ts.isExportDeclaration(node)
      ? node.exportClause
      : undefined;
  if (named === undefined || !(ts.isNamedImports(named) || ts.isNamedExports(named))) return undefined;
  const { moduleSpecifier } = node as ts.ImportDeclaration | ts.ExportDeclaration; // It has a clause, so it is one.
  if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return undefined;
  for (const element of named.elements) {
    if (element.name.text === name)
      return { module: moduleSpecifier.text, name: (element.propertyName ?? element.name).text };
  }
  return undefined;
}

function* callsIn(node: ts.Node): Generator<ts.CallExpression> {
  if (ts.isCallExpression(node)) yield node;
  for (const child of childrenOf(node)) yield* callsIn(child);
}

function childrenOf(node: ts.Node): readonly ts.Node[] {
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => {
    children.push(child);
  });
  return children;
}

/** The comments above the properties of a model. */
function fieldComments(payload: ts.Expression, file: ts.SourceFile): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const fields = ts.isCallExpression(payload) ? payload.arguments.find(ts.isObjectLiteralExpression) : undefined;
  for (const property of fields?.properties ?? []) {
    const ranges = ts.getLeadingCommentRanges(file.text, property.getFullStart()) ?? [];
    const text = ranges
      .map(({ pos, end }) =>
        file.text
          .slice(pos, end)
          .replaceAll(/^\s*(?:\/\*\*?|\*\/|\*(?!\/)|\/\/)|\*\/$/gm, '')
          .trim(),
      )
      .join(' ');
    if (text !== '' && property.name !== undefined) found.set(property.name.getText(file), text);
  }
  return found;
}

/** The statement or property that a token is the value of. */
function ownerOf(node: ts.Node): ts.Node {
  let owner: ts.Node = node;
  while (!ts.isPropertyAssignment(owner) && !ts.isStatement(owner) && owner.parent !== undefined) owner = owner.parent;
  return owner;
}

function commentOf(node: ts.Node): string | undefined {
  const comments = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const text = ts.getTextOfJSDocComment(comments.at(-1)?.comment);
  return text === undefined || text.trim() === '' ? undefined : text;
}
