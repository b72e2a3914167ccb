import type { Effect, RequiredRole } from '../define/required-role.ts';
import type { Tool, ToolGate, ToolOfPart } from '../define/tool.ts';
import type { LazyServices } from '../envelope/kernel.ts';
import type { MountedOperation } from '../envelope/run-operation.ts';
import type { MountedView } from '../envelope/run-view.ts';
import type { MountedQuery } from '../graphql/compose.ts';
import { model, type Schema } from '../schema/model.ts';
import type { ListedTool } from './catalog.ts';
import { type InputForm, inputForm, plainSchema } from './input-form.ts';

/** A hand-written tool with its services. */
export interface MountedTool {
  readonly tool: Tool;
  readonly use: LazyServices;
}

/** The endpoints of a deployment, as far as tools are made from them. */
export type CatalogEndpoint = { readonly path: string; readonly documented: boolean } & (
  | { readonly kind: 'operation'; readonly mounted: MountedOperation }
  | { readonly kind: 'view'; readonly mounted: MountedView }
  | { readonly kind: 'route' | 'graphql' | 'explorer' }
);

/** The operation, view, query or handler that a tool calls. */
export type ToolPart =
  | { readonly kind: 'operation'; readonly mounted: MountedOperation }
  | { readonly kind: 'view'; readonly mounted: MountedView }
  | { readonly kind: 'query'; readonly mounted: MountedQuery }
  | { readonly kind: 'tool'; readonly mounted: MountedTool };

/** A tool of a deployment, whatever it was defined as. One table serves authorization, audit and hints (ai-surface M-33). */
export interface AssembledTool {
  readonly listed: ListedTool;
  readonly part: ToolPart;
  readonly role: RequiredRole;
  readonly gate: ToolGate;
  /** The domains of which the graph must have one; none if undefined. */
  readonly domains: readonly string[] | undefined;
  readonly isAllowedWhileBlocked: boolean;
  readonly input: Schema;
  readonly form: InputForm;
  /** The parameters of the operation's path other than `graph_id`. */
  readonly pathParameters: readonly string[];
}

/** Lists the tools of a deployment by name: operations and views that are not held, and hand-written ones. */
export function assembleTools({
  endpoints,
  tools,
  queries,
}: {
  readonly endpoints: readonly CatalogEndpoint[];
  readonly tools: readonly MountedTool[];
  readonly queries: readonly MountedQuery[];
}): ReadonlyMap<string, AssembledTool> {
  const made = [
    ...endpoints.filter(({ documented }) => documented).flatMap((endpoint) => toolOfEndpoint(endpoint) ?? []),
    ...queries.flatMap((mounted) => toolOfQuery(mounted) ?? []),
    ...tools.map(toolOfTool),
  ];
  return new Map(made.sort((a, b) => (a.listed.name < b.listed.name ? -1 : 1)).map((each) => [each.listed.name, each]));
}

function toolOfEndpoint(endpoint: CatalogEndpoint): AssembledTool | undefined {
  if (endpoint.kind === 'operation') {
    const { mounted } = endpoint;
    const { operation } = mounted;
    const { mcp } = operation;
    if (mcp === undefined || 'held' in mcp) return undefined;
    return toolOfPart(
      mcp,
      { kind: 'operation', mounted },
      {
        effect: mcp.isRead === true ? 'read' : operation.effect,
        domains: mounted.domain === undefined ? [] : [mounted.domain, ...(operation.alternativeDomains ?? [])],
        path: endpoint.path,
      },
    );
  }
  if (endpoint.kind !== 'view') return undefined;
  const { mounted } = endpoint;
  const { mcp } = mounted.view;
  if (mcp === undefined || 'held' in mcp) return undefined;
  const domains = mounted.domain === undefined ? [] : [mounted.domain];
  return toolOfPart(mcp, { kind: 'view', mounted }, { effect: 'read', domains, path: endpoint.path });
}

type ShownPart = Exclude<ToolOfPart, { readonly held: string }>;

function toolOfPart(
  mcp: ShownPart,
  part: Extract<ToolPart, { readonly kind: 'operation' | 'view' }>,
  facts: { readonly effect: Effect; readonly domains: readonly string[]; readonly path: string },
): AssembledTool {
  const definition = part.kind === 'operation' ? part.mounted.operation : part.mounted.view;
  const operation = part.kind === 'operation' ? part.mounted.operation : undefined;
  const pathParameters = [...facts.path.matchAll(/\{(\w+)\}/g)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'graph_id');
  const form = inputForm(definition.input, pathParameters, mcp.omits);
  const name = mcp.tool ?? definition.name;
  const isDestructive = mcp.destructive ?? facts.effect === 'destructive';
  const effect: Effect = facts.effect === 'read' ? 'read' : isDestructive ? 'destructive' : 'write';
  const { gate = {} } = mcp;
  return {
    listed: {
      name,
      title: titleOf(name),
      description: `${definition.summary} ${mcp.hint}`,
      inputSchema: form.schema,
      annotations: annotationsOf(titleOf(name), effect, mcp),
      effect,
      ...(mcp.confirmation === undefined ? {} : { confirmation: mcp.confirmation }),
      isLong: mcp.isLong === true || operation?.runs === 'worker',
      startsRun: operation?.runs === 'worker',
      mayStartRun: false,
    },
    part,
    role: definition.role,
    gate,
    domains: gate.domain !== undefined ? [gate.domain] : facts.domains.length === 0 ? undefined : facts.domains,
    isAllowedWhileBlocked: operation?.whileBlocked === true,
    input: definition.input,
    form,
    pathParameters,
  };
}

/** A query takes its arguments in snake case, as REST does. */
function toolOfQuery(mounted: MountedQuery): AssembledTool | undefined {
  const { query, domain } = mounted;
  const { mcp } = query;
  if (mcp === undefined) return undefined;
  const input = query.args ?? noArguments;
  const form = inputForm(input);
  const title = titleOf(mcp.tool);
  return {
    listed: {
      name: mcp.tool,
      title,
      description: `${query.summary} ${mcp.hint}`,
      inputSchema: form.schema,
      annotations: annotationsOf(title, 'read', {}),
      effect: 'read',
      isLong: false,
      startsRun: false,
      mayStartRun: false,
    },
    part: { kind: 'query', mounted },
    role: query.role,
    gate: {},
    domains: domain === undefined ? undefined : [domain, ...(query.alternativeDomains ?? [])],
    isAllowedWhileBlocked: false,
    input,
    form,
    pathParameters: [],
  };
}

const noArguments = model('NoArguments', {}, { closed: true });

function toolOfTool(mounted: MountedTool): AssembledTool {
  const { tool } = mounted;
  const { gate = {} } = tool;
  const form = inputForm(tool.input);
  return {
    listed: {
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: form.schema,
      ...(tool.output === undefined ? {} : { outputSchema: plainSchema(tool.output) }),
      annotations: annotationsOf(tool.title, tool.effect, tool),
      effect: tool.effect,
      ...(tool.confirmation === undefined ? {} : { confirmation: tool.confirmation }),
      isLong: tool.isLong === true,
      startsRun: false,
      mayStartRun: tool.mayStartRun === true,
    },
    part: { kind: 'tool', mounted },
    role: tool.role,
    gate,
    domains: gate.domain === undefined ? undefined : [gate.domain],
    isAllowedWhileBlocked: false,
    input: tool.input,
    form,
    pathParameters: [],
  };
}

function annotationsOf(
  title: string,
  effect: Effect,
  { idempotent, openWorld }: { readonly idempotent?: boolean | undefined; readonly openWorld?: boolean | undefined },
): ListedTool['annotations'] {
  return {
    title,
    readOnlyHint: effect === 'read',
    destructiveHint: effect === 'destructive',
    idempotentHint: effect === 'read' || idempotent === true,
    openWorldHint: openWorld === true,
  };
}

/** `close-period` is titled "Close period". */
function titleOf(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
