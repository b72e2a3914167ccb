// Plain JavaScript, because a process starts from this file both in the sources (where nothing compiles TypeScript for
// it) and in dist. It is the only file that loads the RDF libraries, and nothing imports it.
import jsonld from 'jsonld';
import { Parser, Store } from 'n3';
import Validator from 'rdf-validate-shacl';
import { distinctNodes } from './distinct-nodes.mjs';

/** The text of the document that is being received. */
const parts = [];

process.on('message', async (request) => {
  if ('part' in request) {
    parts.push(request.part);
    return;
  }
  const text = parts.splice(0).join('');
  try {
    answer({ validation: await validate({ ...request, text }) });
  } catch (error) {
    answer({ failure: error instanceof Error ? error.message : String(error) });
  }
});
process.on('disconnect', () => process.exit(0));
// The service may have ended while this program was loaded, before anyone listened.
if (!process.connected) process.exit(0);

function answer(reply) {
  if (process.connected) process.send(reply);
}

/** Expands a document and checks the union of its graphs against the shapes (reporting X-10). */
async function validate({ text, shapes, maxViolations }) {
  const document = JSON.parse(text);
  const validator = new Validator(new Store(new Parser().parse(shapes)), { maxErrors: maxViolations });
  const sample = await validator.validate(await storeOf(distinctNodes(document)));
  // Only all of the nodes tell all of the violations.
  const report = sample.conforms ? sample : await validator.validate(await storeOf(document));
  return { ran: true, conforms: report.conforms, violations: report.results.slice(0, maxViolations).map(sentence) };
}

/** The union of the graphs of a document. */
async function storeOf(document) {
  const text = await jsonld.toRDF(document, { format: 'application/n-quads', documentLoader: refuse });
  const store = new Store();
  const quads = new Parser({ format: 'N-Quads' }).parse(text);
  for (const { subject, predicate, object } of quads) store.addQuad(subject, predicate, object);
  return store;
}

function sentence({ message, focusNode, path }) {
  const messages = message.map(({ value }) => value).join('; ');
  return `${focusNode?.value ?? ''}: ${messages === '' ? (path?.value ?? 'violation') : messages}`;
}

async function refuse(url) {
  throw new Error(`The document names the remote context ${url}, which is never fetched.`);
}
