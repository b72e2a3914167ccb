import type { Operation } from '../define/operation.ts';
import { type Call, CallNotes, type HttpAnswer, type HttpRequest } from '../envelope/http.ts';
import type { Kernel } from '../envelope/kernel.ts';
import { explorerIsOff, runGraphql } from '../envelope/run-graphql.ts';
import { OperationFailure, runOperation } from '../envelope/run-operation.ts';
import { runRoute } from '../envelope/run-route.ts';
import { runView } from '../envelope/run-view.ts';
import { isServiceError } from '../errors/service-error.ts';
import { toServiceError, toWire, type ValidationErrors } from '../errors/to-wire.ts';
import { undeclaredError } from '../errors/undeclared.ts';
import type { GraphqlService } from '../graphql/compose.ts';
import type { Endpoint } from './endpoints.ts';

/** Renders the page for trying GraphQL queries on one graph. */
export type ExplorerPage = (graphId: string) => {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Runs one request at one endpoint; only here does a failure become a response. */
export async function answerRequest(
  kernel: Kernel,
  graphql: GraphqlService,
  explorer: ExplorerPage | undefined,
  endpoint: Endpoint,
  request: HttpRequest,
): Promise<HttpAnswer> {
  const call: Call = { ...request, notes: new CallNotes() };
  const started = performance.now();
  const given = await execute(kernel, graphql, explorer, endpoint, call);
  kernel.metrics.answered(request.endpoint, given.status, performance.now() - started);
  if (call.notes.graphId !== undefined) kernel.usage.called(call.notes.graphId);
  return { ...given, headers: { ...call.notes.headers, ...given.headers }, facts: factsOf(call.notes) };
}

async function execute(
  kernel: Kernel,
  graphql: GraphqlService,
  explorer: ExplorerPage | undefined,
  endpoint: Endpoint,
  request: Call,
): Promise<HttpAnswer> {
  try {
    switch (endpoint.kind) {
      case 'operation': {
        const { envelope, headers } = await runOperation(kernel, endpoint.mounted, request);
        return { status: statusOf(endpoint.mounted.operation), headers, body: envelope };
      }
      case 'view':
        return { status: 200, headers: {}, body: await runView(kernel, endpoint.mounted, request) };
      case 'route':
        return await runRoute(kernel, endpoint.mounted, request);
      case 'graphql':
        return await runGraphql(kernel, graphql, request);
      case 'explorer':
        if (explorer === undefined) return explorerIsOff();
        return { status: 200, ...explorer(request.params['graph_id'] ?? '') };
    }
  } catch (error) {
    return failedAnswer(
      kernel,
      declaredFailure(kernel, endpoint, error),
      request.requestId,
      validationErrorsOf(endpoint),
    );
  }
}

/** In tests, replaces a failure that the part does not declare by one that says so. */
function declaredFailure(kernel: Kernel, endpoint: Endpoint, error: unknown): unknown {
  const part = kernel.checkAnswers === 'throw' ? partOf(endpoint) : undefined;
  const failure = error instanceof OperationFailure ? error.cause : error;
  return (part !== undefined && isServiceError(failure) && undeclaredError(part, failure)) || error;
}

function partOf(endpoint: Endpoint): Parameters<typeof undeclaredError>[0] | undefined {
  switch (endpoint.kind) {
    case 'operation':
      return endpoint.mounted.operation;
    case 'view':
      return endpoint.mounted.view;
    case 'route':
      return endpoint.mounted.route;
    default:
      return undefined;
  }
}

/** Extracts the caller for the log line (platform E-16). */
function factsOf({ caller, graphId }: CallNotes): Readonly<Record<string, string>> {
  return {
    ...(caller === undefined ? {} : { userId: caller.userId, credential: caller.credential }),
    ...(caller?.keyPrefix === undefined ? {} : { keyPrefix: caller.keyPrefix }),
    ...(graphId === undefined ? {} : { graphId }),
  };
}

function validationErrorsOf(endpoint: Endpoint): ValidationErrors {
  if (endpoint.kind === 'operation' || endpoint.kind === 'view') return 'message';
  return endpoint.kind === 'route' ? (endpoint.mounted.route.validationErrors ?? 'list') : 'list';
}

/** Converts a failure to a response; logs an unknown one with its stack and hides its text (platform E-8). */
export function failedAnswer(
  kernel: Kernel,
  error: unknown,
  requestId: string,
  validationErrors: ValidationErrors,
): HttpAnswer {
  const isOperation = error instanceof OperationFailure;
  const cause = isOperation ? error.cause : error;
  const failure = toServiceError(cause);
  if (failure.kind === 'internal' && !isOperation) kernel.log.error('a request failed', { requestId, error: cause });
  const wire = toWire(failure, {
    requestId,
    now: kernel.clock.now(),
    validationErrors,
    ...(isOperation ? { operationId: error.operationId } : {}),
  });
  return { status: wire.status, headers: wire.headers, body: wire.body };
}

/** The contract fixes the status of each operation, whatever the envelope says (platform N-3). */
function statusOf({ runs, acceptedStatus }: Operation): number {
  return runs === 'worker' ? (acceptedStatus ?? 202) : 200;
}
