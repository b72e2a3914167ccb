import { readFileSync } from 'node:fs';
import { baseOf, type JsonLdContext } from '../json-ld/index.ts';

/** What the validation of a document found (reporting P-12). */
export interface BundleValidation {
  readonly ran: boolean;
  readonly conforms: boolean;
  /** At most 20 sentences. */
  readonly violations: readonly string[];
}

const maxViolations = 20;
/** The base in the file of the shapes, which a deployment may replace. */
const shippedBase = 'https://vocab.example.org';

/** The constraints for documents of a vocabulary, as Turtle (reporting 13.3). */
export function reportShapes(base: string): string {
  const text = readFileSync(new URL('./report-shapes.ttl', import.meta.url), 'utf8');
  return text.replaceAll(`<${shippedBase}/`, `<${base}/`);
}

/**
 * Expands a document and checks the union of its graphs against the shapes (reporting X-10). Nothing is fetched: a
 * document with a remote context fails. The libraries are loaded on first use, because a service that validates nothing
 * does not need them.
 */
export async function validateJsonLd(text: string): Promise<BundleValidation> {
  const [{ default: jsonld }, { Parser, Store }, { default: Validator }] = await Promise.all([
    import('jsonld'),
    import('n3'),
    import('rdf-validate-shacl'),
  ]);
  const document = JSON.parse(text) as { readonly '@context': JsonLdContext }; // Its context decides the shapes.
  const quads = await jsonld.toRDF(document as object, { format: 'application/n-quads', documentLoader: refuse });
  const data = new Store();
  for (const { subject, predicate, object } of new Parser({ format: 'N-Quads' }).parse(String(quads))) {
    data.addQuad(subject, predicate, object);
  }
  const shapes = new Store(new Parser().parse(reportShapes(baseOf(document['@context']) ?? shippedBase)));
  const report = await new Validator(shapes, { maxErrors: maxViolations }).validate(data);
  const violations = report.results.slice(0, maxViolations).map((result) => {
    const messages = result.message.map(({ value }) => value).join('; ');
    return `${result.focusNode?.value ?? ''}: ${messages === '' ? (result.path?.value ?? 'violation') : messages}`;
  });
  return { ran: true, conforms: report.conforms, violations };
}

async function refuse(url: string): Promise<never> {
  throw new Error(`The document names the remote context ${url}, which is never fetched.`);
}
