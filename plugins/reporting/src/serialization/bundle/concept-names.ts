import type { BundleFramework } from './bundle.ts';
import { compareText } from './bundle.ts';

/** An element whose name in the bundle is wanted. */
export interface NamedElement {
  readonly id: string;
  readonly qname: string | null;
  /** The namespace of its taxonomy. */
  readonly namespace: string | null;
  /** True for an element of the shipped library, whose namespace is ours. */
  readonly isShared: boolean;
}

/** The names of elements in a bundle. */
export interface ConceptNames {
  readonly frameworks: readonly BundleFramework[];
  /** By element id. */
  readonly qnames: ReadonlyMap<string, string>;
}

const ncName = /^[A-Za-z_][A-Za-z0-9_.-]*$/;
/** Without an underscore, so that `prefix_Name` can be split in one way only. */
const prefixForm = /^[A-Za-z][A-Za-z0-9-]*$/;
const maxNameCharacters = 200;
const maxNamespaceCharacters = 300;
const unnamedPrefix = 'ext';

/** Prefixes that the formats use themselves, so no taxonomy may bind them to something else. */
const formatPrefixes: ReadonlySet<string> = new Set(
  'dcterms dtr fin iso4217 iso link prov ref report rdf rdfs sh skos utr xbrldi xbrldt xbrli xlink xml xmlns xs xsd xsi'.split(
    ' ',
  ),
);

/** Hosts of publishers in whose namespaces nobody else mints names (reporting X-2). */
const publishers = /^https?:\/\/([^/]*\.)?(xbrl|w3|fasb|ifrs|purl|sec)\.(org|gov)(\/|$|:)/i;
const namespaceForm = /^(https?:\/\/|urn:)[!#$%&'()*+,./0-9:;=?@A-Z_a-z~-]+$/;

/** Names elements: a prefix for each namespace, and within it local names that XML and IRIs accept (reporting X-23). */
export function nameConcepts(elements: readonly NamedElement[]): ConceptNames {
  const sharedSpaces = new Set(elements.filter(({ isShared }) => isShared).map(({ namespace }) => namespace));
  const prefixes = new Map<string, BundleFramework>();
  const taken = new Map<string, Set<string>>();
  const qnames = new Map<string, string>();
  for (const element of [...elements].sort(byShareThenId)) {
    const { prefix, local } = partsOf(element);
    const isForeign = !element.isShared && sharedSpaces.has(element.namespace);
    const namespace = isForeign ? null : usable(element.namespace);
    const framework = frameworkFor(prefixes, prefix, namespace);
    const own = taken.get(framework.prefix) ?? new Set<string>();
    taken.set(framework.prefix, own);
    const name = unusedName(own, local);
    own.add(name);
    qnames.set(element.id, `${framework.prefix}:${name}`);
  }
  const frameworks = [...prefixes.values()].sort((a, b) => compareText(a.prefix, b.prefix));
  return { frameworks, qnames };
}

/** The shipped names come first, so that none of them is ever changed. */
function byShareThenId(a: NamedElement, b: NamedElement): number {
  return (
    Number(b.isShared) - Number(a.isShared) || compareText(a.qname ?? '', b.qname ?? '') || compareText(a.id, b.id)
  );
}

function partsOf({ id, qname }: NamedElement): { readonly prefix: string; readonly local: string } {
  const text = qname ?? id;
  const colon = text.indexOf(':');
  const given = colon < 0 ? '' : text.slice(0, colon);
  const isUsable = prefixForm.test(given) && given.length <= 50 && !formatPrefixes.has(given.toLowerCase());
  return { prefix: isUsable ? given : unnamedPrefix, local: localName(text.slice(colon + 1)) };
}

/** A name that XML accepts (reporting X-23). */
export function localName(text: string): string {
  const kept = text.replaceAll(/[^A-Za-z0-9_.-]/g, '').slice(0, maxNameCharacters);
  return ncName.test(kept) ? kept : `N${kept}`;
}

function usable(namespace: string | null): string | null {
  if (namespace === null || namespace.length > maxNamespaceCharacters) return null;
  return namespaceForm.test(namespace) && !publishers.test(namespace) ? namespace : null;
}

/** The framework of a namespace; one whose prefix another namespace has gets a numbered prefix. */
function frameworkFor(known: Map<string, BundleFramework>, wanted: string, namespace: string | null): BundleFramework {
  for (let number = 1; ; number += 1) {
    const prefix = number === 1 ? wanted : `${wanted}-${number}`;
    const found = known.get(prefix);
    if (found !== undefined && found.namespace !== namespace) continue;
    const framework = found ?? { prefix, namespace };
    known.set(prefix, framework);
    return framework;
  }
}

function unusedName(taken: ReadonlySet<string>, wanted: string): string {
  if (!taken.has(wanted)) return wanted;
  let number = 2;
  while (taken.has(`${wanted}_${number}`)) number += 1;
  return `${wanted}_${number}`;
}
