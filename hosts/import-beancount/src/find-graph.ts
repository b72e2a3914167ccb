import { reasonOf } from './error-message.ts';
import { field, listField, textField } from './json-fields.ts';
import { ImportError, type LedgerApi, requireSuccess } from './ledger-api.ts';
import { writeLimits } from './limits.ts';

/** The graph of an import: an existing id, or a name that is found or created. */
interface GraphChoice {
  readonly graphId?: string | undefined;
  readonly graphName?: string | undefined;
}

/** Returns the id of the graph to write to, and creates the graph if the caller has none of this name. */
export async function findOrCreateGraph(api: LedgerApi, choice: GraphChoice, runId: string): Promise<string> {
  if (choice.graphId !== undefined) return choice.graphId;
  if (choice.graphName === undefined)
    throw new ImportError('Name the graph with --graph-name, or give the id of an existing one with --graph.');
  const found = await findGraph(api, choice.graphName);
  return found ?? (await createGraph(api, choice.graphName, runId));
}

async function findGraph(api: LedgerApi, name: string): Promise<string | null> {
  const body = requireSuccess(await api.get('/v1/graphs'), 'Listing your graphs');
  const graphs = listField(body, 'graphs').filter(
    (graph) =>
      textField(graph, 'graphName') === name &&
      field(graph, 'isRepository') !== true &&
      field(graph, 'isSubgraph') !== true &&
      (textField(graph, 'status') ?? 'active') === 'active',
  );
  const [graph, second] = graphs;
  if (graph === undefined) return null;
  if (second !== undefined) {
    const ids = graphs.map((each) => textField(each, 'graphId')).join(', ');
    throw new ImportError(`You have ${graphs.length} graphs named "${name}"; choose one with --graph: ${ids}.`);
  }
  return textField(graph, 'graphId');
}

async function createGraph(api: LedgerApi, name: string, runId: string): Promise<string> {
  const request = {
    metadata: { graph_name: name, description: 'Imported journal', schema_extensions: ['roboledger'] },
    initial_entity: { name, uri: `urn:journal:${encodeURIComponent(name)}` },
  };
  const answer = await api.post('/v1/graphs', request, `import-${runId}-graph`);
  const envelope = requireSuccess(answer, 'Creating the graph');
  const operationId = textField(envelope, 'operationId') ?? textField(envelope, 'operation_id');
  // A pending envelope may already name the graph, but only a completed one guarantees that it exists.
  const ready = textField(envelope, 'status') === 'completed' ? textField(field(envelope, 'result'), 'graph_id') : null;
  if (ready !== null) return ready;
  if (operationId === null) throw new ImportError('Creating the graph gave no operation to follow; check the URL.');
  return await followCreation(api, operationId);
}

async function followCreation(api: LedgerApi, operationId: string): Promise<string> {
  for (let poll = 0; poll < writeLimits.maxOperationPolls; poll += 1) {
    const path = `/v1/operations/${encodeURIComponent(operationId)}/status`;
    const status = requireSuccess(await api.get(path), 'Following the creation of the graph');
    const state = textField(status, 'status');
    if (state === 'completed') {
      const graphId = textField(field(status, 'result'), 'graph_id');
      if (graphId !== null) return graphId;
      throw new ImportError('The graph was created, but the operation does not name it; choose it with --graph.');
    }
    if (state === 'failed' || state === 'cancelled') {
      throw new ImportError(`Creating the graph ${state}: ${reasonOf(field(status, 'error'))}`);
    }
    await api.wait(writeLimits.operationPollMs);
  }
  throw new ImportError(
    `Creating the graph takes too long; follow operation ${operationId} and run again with --graph.`,
  );
}
