/** Markdown that GitHub and the documentation site show alike. */

/** A page of the reference, by its path below the root of the repository. */
export interface Page {
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

/** A page that ends with its origin. */
export function page(name: string, title: string, lines: readonly string[]): Page {
  const origin = 'Generated from the definitions by `npm run gen`; do not edit.';
  const text = [`# ${title}`, '', ...lines, ...(lines.at(-1) === '' ? [] : ['']), origin];
  return { path: `docs/reference/${name}.md`, title, text: `${text.join('\n').trimEnd()}\n` };
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return [];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).concat('');
}

/** Escapes plain text, also for cells of a table; spans in backticks remain code. */
export function prose(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? code(part.slice(1, -1)) : part.replaceAll(/[\\|<>*_[\]~#{}]/g, '\\$&')))
    .join('');
}

/** Inline code, also in cells of a table. */
export function code(text: string): string {
  return `\`${text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')}\``;
}

export function block(language: string, text: string): readonly string[] {
  return [`\`\`\`${language}`, text.trimEnd(), '```', ''];
}

/** A link to the heading that consists of a name, on a page of the reference or on the same page. */
export function linkTo(pageName: string, name: string): string {
  return `[${code(name)}](${pageName === '' ? '' : `${pageName}.md`}#${anchorOf(name)})`;
}

/** The anchor of a heading as GitHub makes it; the documentation site makes the same. */
export function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

/** The lines of a heading and of what stands below it; nothing without the latter. */
export function section(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [heading, '', ...lines];
}

/** A paragraph of facts such as "Role: member", each with its label. */
export function facts(each: readonly (readonly [label: string, value: string | undefined])[]): readonly string[] {
  const given = each.filter(([, value]) => value !== undefined && value !== '');
  return given.length === 0 ? [] : [...given.map(([label, value]) => `- ${label}: ${value}`), ''];
}
