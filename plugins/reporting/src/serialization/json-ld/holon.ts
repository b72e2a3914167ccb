import { documentText, type JsonLdDocument, type JsonLdNode } from './document.ts';

/** The named graphs of a holon (reporting X-8). */
type GraphName = 'scene' | 'boundary' | 'projection';

const graphsOfTypes: Readonly<Record<string, GraphName>> = {
  'fin:CalculationAssociation': 'boundary',
  'fin:Rule': 'boundary',
  'fin:VerificationResult': 'boundary',
  'fin:Association': 'projection',
  'fin:Element': 'projection',
  'fin:Framework': 'projection',
  'fin:Structure': 'projection',
};

/** The same nodes as a dataset of three named graphs: what is reported, what must hold, and how it is arranged. */
export function writeHolon(text: string): string {
  const document = JSON.parse(text) as JsonLdDocument; // Written by this service.
  const graphs: Record<GraphName, JsonLdNode[]> = { scene: [], boundary: [], projection: [] };
  for (const node of document['@graph']) graphs[graphOf(node)].push(node);
  const report = document['@graph'].find(({ type }) => [type].flat().includes('fin:Report'));
  if (report === undefined) throw new Error('The document has no report.');
  const names: readonly GraphName[] = ['boundary', 'projection', 'scene'];
  return documentText({
    '@context': document['@context'],
    '@graph': names.map((name) => ({ id: `${report.id}#${name}`, '@graph': graphs[name] })),
  });
}

function graphOf({ type }: JsonLdNode): GraphName {
  const types = [type].flat();
  if (types.includes('fin:CalculationAssociation')) return 'boundary';
  return types.flatMap((each) => graphsOfTypes[each] ?? [])[0] ?? 'scene';
}
