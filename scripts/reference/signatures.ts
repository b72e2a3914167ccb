/** Declarations as their callers see them: without bodies, private members and the word `export`. */
import ts from 'typescript-api';

export type NamedDeclaration = ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.ClassDeclaration;

export function isNamedDeclaration(node: ts.Node): node is NamedDeclaration {
  return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node);
}

/** The names of types in a declaration, without what callers cannot see. */
export function typeNamesIn(node: ts.Node): readonly string[] {
  const visible = ts.isClassDeclaration(node) ? visibleMembers(node).flatMap(signatureNodes) : [node];
  const names = new Set<string>();
  const visit = (each: ts.Node): void => {
    if (ts.isTypeReferenceNode(each) && ts.isIdentifier(each.typeName)) names.add(each.typeName.text);
    if (ts.isExpressionWithTypeArguments(each) && ts.isIdentifier(each.expression)) names.add(each.expression.text);
    for (const child of childrenOf(each)) visit(child);
  };
  for (const each of visible) visit(each);
  return [...names];
}

function visibleMembers(node: ts.ClassDeclaration): readonly ts.ClassElement[] {
  return node.members.filter(
    (member) =>
      !ts.isConstructorDeclaration(member) &&
      member.name !== undefined &&
      !ts.isPrivateIdentifier(member.name) &&
      'body' in member,
  );
}

/** The types of the parameters and of the result of a method. */
function signatureNodes(member: ts.ClassElement): readonly ts.Node[] {
  if (!ts.isMethodDeclaration(member)) return [];
  return [...member.parameters, ...(member.type === undefined ? [] : [member.type])];
}

/** The declaration without what callers cannot see: bodies, private members and the word `export`. */
export function signatureOf(node: NamedDeclaration, file: ts.SourceFile): string {
  const text = node.getText(file).replace(/^export (?:declare )?/, '');
  if (!ts.isClassDeclaration(node)) return text;
  const members = visibleMembers(node).map((member) => {
    const end = ts.isMethodDeclaration(member) && member.body !== undefined ? member.body.getStart(file) : member.end;
    const text = file.text.slice(member.getStart(file, true), end).trim();
    return `  ${text.replace(/^((?:\/\*\*[\s\S]*?\*\/\s*)?)async /, '$1')};`;
  });
  return `interface ${node.name?.text} {\n${members.join('\n')}\n}`;
}

export function childrenOf(node: ts.Node): readonly ts.Node[] {
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => {
    children.push(child);
  });
  return children;
}
