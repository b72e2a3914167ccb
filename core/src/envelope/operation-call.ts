import type { Caller, Graph, WriteContext } from '../define/context.ts';
import type { PrepareContext } from '../define/operation.ts';
import { urlForCaller } from '../settings/kernel-settings.ts';
import type { Kernel } from './kernel.ts';
import type { RunRecord } from './record.ts';

/** A request for an operation after the checks that precede the body. */
export interface OperationCall {
  readonly caller: Caller;
  readonly graph: Graph | undefined;
  readonly input: unknown;
  /** The path parameters other than `graph_id`. */
  readonly params: Readonly<Record<string, string>>;
  readonly requestId: string;
  readonly signal: AbortSignal;
  readonly keyHash: string | undefined;
  readonly surface: RunRecord['surface'];
  /** The origin of the request; undefined for calls within the process. */
  readonly origin: string | undefined;
}

/** The context of an operation's prepare step. */
export function prepareContext(kernel: Kernel, call: OperationCall): PrepareContext {
  return {
    caller: call.caller,
    graph: call.graph as Graph, // Operations without {graph_id} do not read it.
    requestId: call.requestId,
    signal: call.signal,
    surface: call.surface,
    log: kernel.log,
    now: () => kernel.clock.now(),
  };
}

interface WriteParts extends Pick<WriteContext, 'operationId' | 'tx' | 'emit'> {
  readonly headers: Record<string, string>;
}

/** The context of an operation's handler. */
export function writeContext(kernel: Kernel, call: OperationCall, { headers, ...parts }: WriteParts): WriteContext {
  return {
    ...parts,
    caller: call.caller,
    graph: call.graph as Graph, // Operations without {graph_id} do not read it.
    requestId: call.requestId,
    params: call.params,
    signal: call.signal,
    surface: call.surface,
    serviceUrl: urlForCaller(kernel.settings, call.origin),
    log: kernel.log,
    now: () => kernel.clock.now(),
    header: (name, value) => {
      headers[name] = value;
    },
  };
}
