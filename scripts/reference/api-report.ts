/** The public surface of a package as text, so that a change of it is a difference that reviewers see. */
import ts from 'typescript-api';
import type { Declarations, Located } from './declarations.ts';
import type { Package } from './packages.ts';

export interface ApiReport {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly text: string;
}

const printer = ts.createPrinter({ removeComments: true });

/** The exported names of a package with their signatures, and the types that these mention. */
export function apiReport({ name, folder, entryPoints }: Package, declarations: Declarations): ApiReport {
  const shown = new Map<string, Located>();
  const chapters = [...entryPoints].map(([module, path]) => {
    const exported = [...declarations.exportsOf(path)].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [, located] of exported) shown.set(keyOf(located), located);
    return [`## ${module}`, ...exported.map(([as, located]) => entry(as, located))].join('\n\n');
  });
  const mentioned = mentionedTypes(shown, declarations, `${folder}/`).map((located) => signatureOf(located));
  const rest = mentioned.length === 0 ? [] : [['## Mentioned, not exported', ...mentioned.sort()].join('\n\n')];
  const head = `# ${name}\n\nThe exported names and their signatures. Written by \`npm run gen\`; do not edit.`;
  return { path: `${folder}/api.txt`, text: `${[head, ...chapters, ...rest].join('\n\n')}\n` };
}

/** A name that differs from that of the declaration stands before it. */
function entry(as: string, located: Located): string {
  return located.name === as && as !== 'default' ? signatureOf(located) : `${as}: ${signatureOf(located)}`;
}

/** The types of this package that signatures mention, directly or through others. */
function mentionedTypes(
  shown: ReadonlyMap<string, Located>,
  declarations: Declarations,
  folder: string,
): readonly Located[] {
  const seen = new Set(shown.keys());
  const found: Located[] = [];
  const waiting = [...shown.values()];
  for (let located = waiting.pop(); located !== undefined; located = waiting.pop()) {
    for (const mention of typeNamesIn(publicPart(located))) {
      const target = declarations.locate(located.file.fileName, mention);
      if (target === undefined || !target.file.fileName.startsWith(folder) || seen.has(keyOf(target))) continue;
      seen.add(keyOf(target));
      found.push(target);
      waiting.push(target);
    }
  }
  return found;
}

function typeNamesIn(node: ts.Node): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (each: ts.Node): void => {
    if (ts.isTypeReferenceNode(each) && ts.isIdentifier(each.typeName)) names.add(each.typeName.text);
    if (ts.isExpressionWithTypeArguments(each) && ts.isIdentifier(each.expression)) names.add(each.expression.text);
    if (ts.isTypeQueryNode(each) && ts.isIdentifier(each.exprName)) names.add(each.exprName.text);
    ts.forEachChild(each, visit);
  };
  visit(node);
  return names;
}

function keyOf({ file, node }: Located): string {
  return `${file.fileName} ${node.pos}`;
}

function signatureOf(located: Located): string {
  const text = printer.printNode(ts.EmitHint.Unspecified, publicPart(located), located.file);
  return text.replace(/^export (?:default )?/, '').replaceAll(/^ {4,}/gm, (indent) => ' '.repeat(indent.length / 2));
}

/** The declaration without bodies and private members; of a variable, its type if it states one. */
function publicPart({ node }: Located): ts.Node {
  const { factory } = ts;
  if (ts.isFunctionDeclaration(node)) {
    const { modifiers, asteriskToken, name, typeParameters, parameters, type } = node;
    return factory.updateFunctionDeclaration(
      node,
      withoutAsync(modifiers),
      asteriskToken,
      name,
      typeParameters,
      parameters,
      type,
      undefined,
    );
  }
  if (ts.isVariableDeclaration(node)) {
    const value = node.type === undefined ? withoutBodies(node.initializer) : undefined;
    const declaration = factory.updateVariableDeclaration(node, node.name, undefined, node.type, value);
    return factory.createVariableDeclarationList([declaration], ts.NodeFlags.Const);
  }
  if (!ts.isClassDeclaration(node)) return ts.isExportAssignment(node) ? withoutBodies(node.expression) : node;
  const members = node.members.filter(isPublic).map(signatureOfMember);
  return factory.updateClassDeclaration(
    node,
    node.modifiers,
    node.name,
    node.typeParameters,
    node.heritageClauses,
    members,
  );
}

function isPublic(member: ts.ClassElement): boolean {
  return member.name === undefined || !ts.isPrivateIdentifier(member.name);
}

function signatureOfMember(member: ts.ClassElement): ts.ClassElement {
  const { factory } = ts;
  if (ts.isConstructorDeclaration(member))
    return factory.updateConstructorDeclaration(member, member.modifiers, member.parameters, undefined);
  if (ts.isGetAccessorDeclaration(member))
    return factory.updateGetAccessorDeclaration(
      member,
      member.modifiers,
      member.name,
      member.parameters,
      member.type,
      undefined,
    );
  if (!ts.isMethodDeclaration(member)) return member;
  const { asteriskToken, name, questionToken, typeParameters, parameters, type } = member;
  const modifiers = withoutAsync(member.modifiers);
  return factory.updateMethodDeclaration(
    member,
    modifiers,
    asteriskToken,
    name,
    questionToken,
    typeParameters,
    parameters,
    type,
    undefined,
  );
}

/** An asynchronous function is one that returns a promise, which its type says. */
function withoutAsync<T extends ts.ModifierLike>(modifiers: readonly T[] | undefined): readonly T[] | undefined {
  return modifiers?.filter(({ kind }) => kind !== ts.SyntaxKind.AsyncKeyword);
}

/** The expression with empty functions: what they do is not part of the surface. */
function withoutBodies<T extends ts.Expression | undefined>(expression: T): T {
  if (expression === undefined) return expression;
  const { factory } = ts;
  const transform: ts.TransformerFactory<ts.Node> = (context) => (root) => {
    const visit = (node: ts.Node): ts.Node => {
      if (ts.isBlock(node)) return factory.createBlock([]);
      if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) {
        const { modifiers, typeParameters, parameters, type, equalsGreaterThanToken } = node;
        const body = factory.createBlock([]);
        return factory.updateArrowFunction(
          node,
          modifiers,
          typeParameters,
          parameters,
          type,
          equalsGreaterThanToken,
          body,
        );
      }
      return ts.visitEachChild(node, visit, context);
    };
    return ts.visitNode(root, visit) ?? root;
  };
  return ts.transform<ts.Node>(expression, [transform]).transformed[0] as T; // The same kind of node as before.
}
