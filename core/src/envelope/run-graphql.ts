import { Type } from 'typebox';
import type { QueryContext } from '../define/context.ts';
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
  const run = (read: QueryContext | undefined) =>
    service.run(input, {
      read,
      requestId: request.requestId,
      requireRole: (role) => {
        if (caller !== undefined && graph !== undefined)
          kernel.access.requireRole(caller, graph, role, factsOf(request));
      },
      onInternalError: (error) => kernel.log.error('a GraphQL field failed', { requestId: request.requestId, error }),
    });
  if (caller === undefined || graph === undefined) return { status: 200, headers: {}, body: await run(undefined) };
  let body: GraphqlAnswer | undefined;
  const writes: ((tx: Transaction) => Promise<void>)[] = [];
  const serviceUrl = urlForCaller(kernel.settings, request.origin);
  const afterReads: QueryContext['afterReads'] = (work) => void writes.push(work);
  try {
    const { requestId, signal } = request;
    await kernel.slots.reads.run(graph.id, signal, () =>
      kernel.store.transaction(
        { graphId: graph.id },
        async (tx) => {
          const now = () => kernel.clock.now();
          body = await run({ caller, graph, tx, requestId, signal, log: kernel.log, now, serviceUrl, afterReads });
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
  return { status: 200, headers: {}, body };
}

/** Responds with 404 unless the host has enabled the explorer. */
export function explorerIsOff(): never {
  throw new ServiceError('not_found', 'NOT_FOUND', 'Not Found');
}
