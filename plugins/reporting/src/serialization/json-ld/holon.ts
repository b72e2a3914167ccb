import { type ReportBundle, reportIri } from '../bundle/index.ts';
import { documentParts, type LazyNode, listParts, nodeTexts } from './document.ts';
import { jsonLdContent } from './write-json-ld.ts';

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

/**
 * The text of a report as a dataset of three named graphs, in parts: what is reported, what must hold, and how it is
 * arranged. The nodes are those of its JSON-LD.
 */
export function writeHolon(bundle: ReportBundle): Iterable<string> {
  const { context, nodes } = jsonLdContent(bundle);
  const names: readonly GraphName[] = ['boundary', 'projection', 'scene'];
  const graphs = names.map((name) => {
    const own = nodes.filter((node) => graphOf(node) === name);
    return graphParts(`${reportIri(bundle)}#${name}`, own);
  });
  return documentParts(context, graphs);
}

/** A named graph, as an item of a document. */
function* graphParts(id: string, nodes: readonly LazyNode[]): Generator<string> {
  yield '    {\n      "@graph": ';
  yield* listParts(nodeTexts(nodes, 8), 6);
  yield `,\n      "id": ${JSON.stringify(id)}\n    }`;
}

function graphOf({ type }: LazyNode): GraphName {
  const types = [type].flat();
  if (types.includes('fin:CalculationAssociation')) return 'boundary';
  return types.flatMap((each) => graphsOfTypes[each] ?? [])[0] ?? 'scene';
}
