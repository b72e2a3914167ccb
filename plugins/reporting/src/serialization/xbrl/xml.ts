import { create } from 'xmlbuilder2';

/** An element of XML with its prefix; text is escaped when it is written. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | undefined>>;
  readonly children: readonly (XmlElement | string)[];
}

export function xml(
  name: string,
  attributes: XmlElement['attributes'] = {},
  ...children: readonly (XmlElement | string | readonly XmlElement[])[]
): XmlElement {
  return { name, attributes, children: children.flatMap((child) => child as XmlElement | string) };
}

/** Characters that XML 1.0 cannot hold, not even escaped. */
const forbidden = /[^\P{Cc}\t\n\r\u0080-\u009f]|\p{Cs}|[\ufffe\uffff]/gu;

/** The text of a document with this root, indented by two. */
export function xmlText(root: XmlElement): string {
  const document = create({ version: '1.0', encoding: 'UTF-8' });
  append(document, root);
  return `${document.end({ prettyPrint: true, indent: '  ', newline: '\n' })}\n`;
}

type Builder = ReturnType<typeof create>;

function append(parent: Builder, { name, attributes, children }: XmlElement): void {
  const kept = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, escaped(value)]],
  );
  const element = parent.ele(name, Object.fromEntries(kept));
  for (const child of children) {
    if (typeof child === 'string') element.txt(escaped(child));
    else append(element, child);
  }
}

/** The writer takes `&lt;` for an entity that is escaped already, which in XHTML as text it is not. */
function escaped(text: string): string {
  return xmlSafe(text).replaceAll('&', '&amp;');
}

/** The text with a replacement for each character that XML cannot hold. */
export function xmlSafe(text: string): string {
  return text.replaceAll(forbidden, '\ufffd');
}
