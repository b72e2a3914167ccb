/** Finds declarations and their doc comments in the sources, without checking types. */
import { posix } from 'node:path';
import ts from 'typescript-api';
import type { SourceFile } from '../rules-files.ts';
import { childrenOf, isNamedDeclaration, signatureOf, typeNamesIn } from './signatures.ts';

/** A declaration as it is written, and the text of its doc comment. */
export interface Declaration {
  readonly path: string;
  readonly text: string;
  readonly comment: string | undefined;
}

/** A declared type with its name. */
export interface NamedType extends Declaration {
  readonly name: string;
}

/** A token or collection of services where it is created. */
export interface TokenSource extends Declaration {
  readonly id: string;
  /** The declaration of the type of the service or entry, if it has a name of its own. */
  readonly type: Declaration | undefined;
  /** The declared types that it names, itself or through others. */
  readonly types: readonly NamedType[];
}

/** The comments of an event where it is declared. */
export interface EventComments {
  readonly meaning: string | undefined;
  /** Comments above the fields of its payload, by field. */
  readonly fields: ReadonlyMap<string, string>;
}

/** A declaration in its file: a statement, a variable, or the value of `export default`. */
export interface Located {
  /** The name under which its file knows it. */
  readonly name: string;
  readonly node: ts.Statement | ts.VariableDeclaration | ts.ExportAssignment;
  readonly file: ts.SourceFile;
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
      types: isNamed ? this.#typesBehind(path, type.typeName.getText(file)) : [],
    };
  }

  #typesBehind(path: string, name: string): readonly NamedType[] {
    const found = new Map<string, NamedType>();
    const follow = (from: Located): void => {
      for (const each of typeNamesIn(from.node)) {
        const located = this.locate(from.file.fileName, each);
        if (located === undefined || !isNamedDeclaration(located.node)) continue;
        const { node, file } = located;
        const key = `${file.fileName} ${located.name}`;
        if (found.has(key)) continue;
        const text = signatureOf(node, file);
        found.set(key, { name: located.name, path: file.fileName, text, comment: commentOf(node) });
        follow(located);
      }
    };
    const start = this.locate(path, name);
    if (start === undefined) return [];
    found.set(`${start.file.fileName} ${start.name}`, { name: start.name, path: '', text: '', comment: undefined });
    follow(start);
    return [...found.values()].slice(1);
  }

  /** The declaration of a type as a file sees its name. */
  find(path: string, name: string): Declaration | undefined {
    const located = this.locate(path, name);
    if (located === undefined || !isNamedDeclaration(located.node)) return undefined;
    const { node, file } = located;
    return { path: file.fileName, text: signatureOf(node, file), comment: commentOf(node) };
  }

  /** The declaration that a name stands for in a file, behind its imports and re-exports. */
  locate(path: string, name: string, depth = 0): Located | undefined {
    if (depth > maxReExports || !this.#texts.has(path)) return undefined;
    const file = this.#parse(path);
    for (const statement of file.statements) {
      const node = declarationIn(statement, name);
      if (node !== undefined) return { name, node, file };
      const source = sourceOf(statement, name);
      if (source === undefined) continue;
      const target = source.module === undefined ? path : this.#resolve(path, source.module);
      if (target !== undefined && (target !== path || source.name !== name))
        return this.locate(target, source.name, depth + 1);
    }
    return undefined;
  }

  /** The declarations behind the exported names of a file. */
  exportsOf(path: string): ReadonlyMap<string, Located> {
    const found = new Map<string, Located>();
    for (const statement of this.#parse(path).statements) {
      for (const name of exportedNames(statement)) {
        const located = this.locate(path, name);
        if (located !== undefined) found.set(name, located);
      }
    }
    return found;
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

/** `T` of `createToken<T>(…)`, or of `const token: Token<T> = createToken(…)`. */
function typeArgumentOf(call: ts.CallExpression): ts.TypeNode | undefined {
  if (call.typeArguments !== undefined) return call.typeArguments[0];
  const annotation = ts.isVariableDeclaration(call.parent) ? call.parent.type : undefined;
  return annotation !== undefined && ts.isTypeReferenceNode(annotation) ? annotation.typeArguments?.[0] : undefined;
}

/** The declaration with a name in a statement; `default` is the name of what a file exports by default. */
function declarationIn(statement: ts.Statement, name: string): Located['node'] | undefined {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.find((each) => ts.isIdentifier(each.name) && each.name.text === name);
  if (ts.isExportAssignment(statement)) return name === 'default' ? statement : undefined;
  const isNamed = isNamedDeclaration(statement) || ts.isFunctionDeclaration(statement);
  return isNamed && statement.name?.text === name ? statement : undefined;
}

/** The names that a statement exports. */
function exportedNames(statement: ts.Statement): readonly string[] {
  if (ts.isExportAssignment(statement)) return ['default'];
  if (ts.isExportDeclaration(statement)) {
    const { exportClause } = statement;
    return exportClause !== undefined && ts.isNamedExports(exportClause)
      ? exportClause.elements.map(({ name }) => name.text)
      : [];
  }
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
  const isNamed = isNamedDeclaration(statement) || ts.isFunctionDeclaration(statement);
  return isNamed && statement.name !== undefined ? [statement.name.text] : [];
}

interface Source {
  /** Undefined for a name that the file itself has. */
  readonly module: string | undefined;
  readonly name: string;
}

/** The module and name behind an imported or re-exported name. */
function sourceOf(node: ts.Statement, name: string): Source | undefined {
  if (!ts.isImportDeclaration(node) && !ts.isExportDeclaration(node)) return undefined;
  const { moduleSpecifier } = node;
  const module =
    moduleSpecifier !== undefined && ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : undefined;
  if (ts.isImportDeclaration(node) && node.importClause?.name?.text === name) return { module, name: 'default' };
  const named = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause;
  if (named === undefined || !(ts.isNamedImports(named) || ts.isNamedExports(named))) return undefined;
  const element = named.elements.find((each) => each.name.text === name);
  return element === undefined ? undefined : { module, name: (element.propertyName ?? element.name).text };
}

function* callsIn(node: ts.Node): Generator<ts.CallExpression> {
  if (ts.isCallExpression(node)) yield node;
  for (const child of childrenOf(node)) yield* callsIn(child);
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
