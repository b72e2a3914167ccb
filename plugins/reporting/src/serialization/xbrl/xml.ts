/** An element of XML with its prefix; text is escaped when it is written. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | undefined>>;
  /** Elements, or a single text. */
  readonly children: Iterable<XmlElement | string>;
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
  return [...xmlParts(root)].join('');
}

/** The same text in parts, one for each child of the root, so that a large document needs no tree of all elements. */
export function* xmlParts({ name, attributes, children }: XmlElement): Generator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<${name}${attributesText(attributes)}>\n`;
  for (const child of children) yield contentText(child, '  ');
  yield `</${name}>\n`;
}

/** An element with its line breaks, or a text without any. */
function contentText(content: XmlElement | string, indent: string): string {
  if (typeof content === 'string') return escaped(content);
  const { name, attributes, children } = content;
  const own = [...children];
  const start = `${indent}<${name}${attributesText(attributes)}`;
  const text = own.map((child) => contentText(child, `${indent}  `)).join('');
  if (text === '') return `${start}/>\n`;
  const isTextOnly = own.every((child) => typeof child === 'string');
  return isTextOnly ? `${start}>${text}</${name}>\n` : `${start}>\n${text}${indent}</${name}>\n`;
}

function attributesText(attributes: XmlElement['attributes']): string {
  return Object.entries(attributes)
    .map(([key, value]) => (value === undefined ? '' : ` ${key}="${escaped(value).replaceAll('"', '&quot;')}"`))
    .join('');
}

function escaped(text: string): string {
  return xmlSafe(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The text with a replacement for each character that XML cannot hold. */
export function xmlSafe(text: string): string {
  return text.replaceAll(forbidden, '\ufffd');
}
