import { Type } from 'typebox';
import type { RequestFacts } from '../audit/security-audit.ts';
import type { Caller, Graph, QueryContext } from '../define/context.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { GraphqlAnswer, GraphqlService } from '../graphql/compose.ts';
import { graphqlCategory } from '../limits/categories.ts';
import { model, nullable } from '../schema/model.ts';
import { urlForCaller } from '../settings/kernel-settings.ts';
import type { Transaction } from '../store/store.ts';
import { type Call, type HttpAnswer, readJsonOrEmpty } from './http.ts';
import { enter, factsOf, type Kernel, validInput } from './kernel.ts';

const graphqlBody = model('GraphqlRequest', {
  query: Type.String({ minLength: 1 }),
  variables: Type.Optional(Type.Unsafe<Readonly<Record<string, unknown>> | null>({ type: ['object', 'null'] })),
  operationName: Type.Optional(nullable(Type.String())),
});

/** Runs GraphQL over HTTP: credential and graph errors are statuses, all others 200 with `errors` (platform E-20). */
export async function runGraphql(kernel: Kernel, service: GraphqlService, request: Call): Promise<HttpAnswer> {
  const { caller, graph } = await enter(kernel, request, {
    accepts: ['api-key', 'bearer'],
    isOptional: true,
    category: graphqlCategory,
    role: 'viewer',
  });
  const input = validInput(kernel, graphqlBody, await readJsonOrEmpty(request), 'body') as {
    query: string;
    variables?: Record<string, unknown> | null;
    operationName?: string | null;
  }; // Checked against the model on this line.
  const { requestId, signal, origin } = request;
  if (caller === undefined || graph === undefined)
    return { status: 200, headers: {}, body: await service.run(input, anonymousRequest(kernel, requestId)) };
  const call = { caller, graph, input, requestId, signal, origin, facts: factsOf(request) };
  return { status: 200, headers: {}, body: await callGraphql(kernel, service, call) };
}

/** A GraphQL request of a caller on a graph, both checked. */
export interface GraphqlCall extends Pick<Call, 'requestId' | 'signal'> {
  readonly caller: Caller;
  readonly graph: Graph;
  readonly input: Parameters<GraphqlService['run']>[0];
  readonly origin: string | undefined;
  readonly facts: RequestFacts;
}

/** Runs a request for HTTP and for tools, on one read-only snapshot. */
export async function callGraphql(kernel: Kernel, service: GraphqlService, call: GraphqlCall): Promise<GraphqlAnswer> {
  const { caller, graph, requestId, signal } = call;
  let body: GraphqlAnswer | undefined;
  const writes: ((tx: Transaction) => Promise<void>)[] = [];
  const serviceUrl = urlForCaller(kernel.settings, call.origin);
  const afterReads: QueryContext['afterReads'] = (work) => void writes.push(work);
  try {
    await kernel.slots.reads.run(graph.id, signal, () =>
      kernel.store.transaction(
        { graphId: graph.id },
        async (tx) => {
          const now = () => kernel.clock.now();
          const read = { caller, graph, tx, requestId, signal, log: kernel.log, now, serviceUrl, afterReads };
          body = await service.run(call.input, {
            ...anonymousRequest(kernel, requestId),
            read,
            requireRole: (role) => kernel.access.requireRole(caller, graph, role, call.facts),
          });
        },
        { readOnly: true },
      ),
    );
  } catch (error) {
    // A failed statement is already reported as its field's error; only the commit is refused then.
    if (body === undefined) throw error;
  }
  if (writes.length > 0) {
    await kernel.store.transaction({ graphId: graph.id }, async (tx) => {
      for (const write of writes) await write(tx);
    });
  }
  return body ?? {};
}

function anonymousRequest(kernel: Kernel, requestId: string): Parameters<GraphqlService['run']>[1] {
  return {
    read: undefined,
    requestId,
    requireRole: () => undefined,
    onInternalError: (error) => kernel.log.error('a GraphQL field failed', { requestId, error }),
  };
}

/** Responds with 404 unless the host has enabled the explorer. */
export function explorerIsOff(): never {
  throw new ServiceError('not_found', 'NOT_FOUND', 'Not Found');
}
