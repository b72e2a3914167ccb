// A report has thousands of facts and arcs that differ only in their values, and to make RDF of one and check it takes a
// millisecond. The shapes see of such a node the number of its values, their datatypes, a few codes and the classes of
// the nodes that it names, so nodes with the same of all these conform together, and one of them is checked. All other
// nodes stay, and all nodes of a document in which nodes may be written in another way than one flat list.

const classesOfMany = new Set(['fin:Fact', 'fin:Association', 'fin:CalculationAssociation']);
const decimalText = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;
const absoluteIri = /^https?:\/\/[^\s<>"{}|\\^`]+$/;
const definitionKeys = new Set(['@id', '@type', '@container', '@language']);

/** The document without the facts and arcs that have the form of an earlier one. */
export function distinctNodes(document) {
  const { '@context': context, '@graph': nodes, ...others } = document;
  if (Object.keys(others).length > 0 || !isPlainContext(context)) return document;
  if (!Array.isArray(nodes) || !nodes.every(isFlat)) return document;
  const ids = nodes.map(({ id }) => expanded(id, context));
  const counts = new Map();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  const classes = new Map(nodes.map((node, index) => [ids[index], classesOf(node)]));
  const forms = new Set();
  const kept = nodes.filter((node, index) => {
    const isOneOfMany = classesOf(node).length > 0 && classesOf(node).every((name) => classesOfMany.has(name));
    if (!isOneOfMany || !absoluteIri.test(ids[index]) || counts.get(ids[index]) > 1) return true;
    const form = JSON.stringify(formOf(node, { context, classes }));
    if (forms.has(form)) return false;
    forms.add(form);
    return true;
  });
  return { '@context': context, '@graph': kept };
}

/** True if the context only names properties and vocabularies, so that no value becomes a node or a list of properties. */
function isPlainContext(context) {
  return isObject(context) && Object.values(context).every(isPlainDefinition);
}

function isPlainDefinition(definition) {
  if (!isObject(definition)) return typeof definition === 'string' || typeof definition === 'number';
  const { '@container': container = '@set' } = definition;
  return ['@set', '@list'].includes(container) && Object.keys(definition).every((key) => definitionKeys.has(key));
}

function isFlat(node) {
  if (!isObject(node) || typeof node.id !== 'string') return false;
  return Object.entries(node).every(([key, value]) => !key.startsWith('@') && [value].flat().every(isScalar));
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isScalar(value) {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** The whole of an identifier that may have a prefix of the context. */
function expanded(id, context) {
  const colon = id.indexOf(':');
  const space = context[id.slice(0, colon)];
  return typeof space === 'string' && !id.startsWith('//', colon + 1) ? `${space}${id.slice(colon + 1)}` : id;
}

function classesOf({ type }) {
  return [type ?? []].flat().sort();
}

function formOf(node, names) {
  const properties = Object.keys(node).filter((name) => name !== 'id' && name !== 'type');
  return [classesOf(node), properties.sort().map((name) => [name, valueForm(name, node[name], names)])];
}

/** What a constraint can tell of a value. No shape constrains a decimal or a text of a fact by anything but its type. */
function valueForm(name, value, { context, classes }) {
  const type = context[name]?.['@type'];
  if (type === '@id') return [...new Set([value].flat())].map((id) => classes.get(expanded(String(id), context)) ?? id);
  const isFree =
    typeof value === 'string' && (type === 'xsd:decimal' ? decimalText.test(value) : name === 'stringValue');
  return isFree ? null : value;
}
