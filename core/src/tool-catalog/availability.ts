import type { Caller, Graph } from '../define/context.ts';
import type { RequiredRole } from '../define/required-role.ts';
import type { GraphKind } from '../define/tool.ts';
import { hasRecordsOfAny } from '../errors/missing-extension.ts';
import { refusalOf } from '../tenancy/roles.ts';
import type { AssembledTool } from './assembled-tools.ts';

/** For whom, and where, tools are listed. */
export interface Viewpoint {
  readonly graph: Graph;
  /** The roles that the caller has on the graph. */
  readonly roles: ReadonlySet<RequiredRole>;
  /** The neutral name of the domain whose profile the route has (ai-surface M-52). */
  readonly profile: string | undefined;
}

const allRoles: readonly RequiredRole[] = ['viewer', 'member', 'admin', 'owner'];

/** Determines the roles once for all tools of a list. */
export function viewpointOf(caller: Caller, graph: Graph, profile: string | undefined): Viewpoint {
  // A blocked subscription does not hide tools: the refusal of the call says what to do.
  const { writeBlock: _block, ...unblocked } = graph;
  const roles = new Set(allRoles.filter((role) => refusalOf(caller, unblocked, role) === undefined));
  return { graph, roles, profile };
}

const writable: readonly GraphKind[] = ['tenant', 'subgraph'];

/** True if the caller may use the tool on the graph (ai-surface M-30). Whatever is not stated is refused. */
export function isAvailable(tool: AssembledTool, { graph, roles, profile }: Viewpoint): boolean {
  const { gate, domains, listed } = tool;
  const kind = kindOf(graph);
  if (gate.graphs !== undefined && !gate.graphs.includes(kind)) return false;
  if (listed.effect !== 'read' && !writable.includes(kind)) return false;
  if (domains !== undefined && !hasRecordsOfAny(graph, domains)) return false;
  if (gate.anyDomain === true && !hasRecordsOfAny(graph, graph.extensions)) return false;
  if (gate.tiers !== undefined && !gate.tiers.includes(graph.tier)) return false;
  if (profile !== undefined && (gate.isAdministration === true || !graph.extensions.includes(profile))) return false;
  if (!roles.has(tool.role)) return false;
  // A tool that writes needs the role of a writer, whatever its definition says (ai-surface M-33).
  if (listed.effect !== 'read' && !roles.has('member')) return false;
  return isSwitchedOn(tool);
}

function isSwitchedOn({ part }: AssembledTool): boolean {
  if (part.kind === 'query') return true;
  if (part.kind === 'tool') return part.mounted.tool.isOn?.(part.mounted.use()) !== false;
  const { mcp } = part.kind === 'operation' ? part.mounted.operation : part.mounted.view;
  if (mcp === undefined || 'held' in mcp) return true;
  return mcp.isOn?.(part.mounted.use()) !== false;
}

/** The kind of a graph, as gates of tools name it. */
export function kindOf({ type, parentId }: Graph): GraphKind {
  if (type === 'library' || type === 'repository') return type;
  return parentId === undefined ? 'tenant' : 'subgraph';
}
