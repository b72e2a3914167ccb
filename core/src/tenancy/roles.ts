import type { Caller, Graph, GraphRole, OrgRole } from '../define/context.ts';
import type { RequiredRole } from '../define/required-role.ts';
import { ServiceError } from '../errors/service-error.ts';

const strength: Readonly<Record<GraphRole, number>> = { viewer: 1, member: 2, admin: 3 };

/** Returns the stronger of the explicit grant and the admin role of organization owners and admins (platform P-1). */
export function effectiveRole(grant: GraphRole | null, orgRole: OrgRole | null): GraphRole | undefined {
  if (orgRole === 'owner' || orgRole === 'admin') return 'admin';
  return grant ?? undefined;
}

/** True if a role is at least another one. */
export function isAtLeast(role: GraphRole, needed: GraphRole): boolean {
  return strength[role] >= strength[needed];
}

/**
 * Returns the refusal for a caller without the role on the graph, if any (platform P-5, P-10 to P-17). `message` replaces
 * the standard one for a role that is too weak.
 */
export function refusalOf(
  caller: Caller,
  graph: Graph,
  role: RequiredRole,
  message?: string,
): ServiceError | undefined {
  if (role === 'owner') {
    const isOwner = caller.orgRole === 'owner' && caller.orgId === graph.orgId;
    if (isOwner) return undefined;
    return forbidden(message ?? `Only an owner of the organization may do this with graph ${graph.id}`);
  }
  if (isAtLeast(graph.role, role)) return role === 'viewer' ? undefined : writeRefusal(graph);
  if (message !== undefined) return forbidden(message);
  if (role === 'member') return forbidden(`Write access to graph ${graph.id} requires the member role`);
  return forbidden(`Administration of graph ${graph.id} requires the ${role} role`);
}

/** Returns the refusal for a caller without the role in their organization, if any (platform P-2, P-5). */
export function orgRefusalOf(caller: Caller, role: RequiredRole, message?: string): ServiceError | undefined {
  const isManager = caller.orgRole === 'owner' || caller.orgRole === 'admin';
  if (role === 'owner' && caller.orgRole !== 'owner') {
    return forbidden(message ?? 'Only an owner of the organization may do this');
  }
  if (role === 'admin' && !isManager) {
    return forbidden(message ?? 'Only owners and admins of the organization may do this');
  }
  return undefined;
}

/** Returns the refusal of writes to a blocked graph, if any (platform P-7, B-2). */
function writeRefusal(graph: Graph): ServiceError | undefined {
  switch (graph.writeBlock) {
    case undefined:
      return undefined;
    case 'upgrading':
      return forbidden('Graph tier upgrade in progress. Reads work; write again when it has ended.');
    case 'canceled':
      return forbidden('The subscription of this graph is canceled, so it can only be read. Resubscribe to write.');
    case 'paused':
      return forbidden('The subscription of this graph is paused, so it can only be read.');
    case 'unpaid':
      return new ServiceError(
        'payment_required',
        'PAYMENT_REQUIRED',
        'The subscription of this graph is unpaid, so it can only be read. Pay the open invoice to write again.',
      );
  }
}

/** 403 whether or not the graph exists, so that ids cannot be probed (platform P-8). */
export function graphDenied(): ServiceError {
  return forbidden('Access denied to graph');
}

/** This deployment does not serve this shared repository, for reads either (taxonomy LB-13, ledger 1). */
export function repositoryDenied(name: string): ServiceError {
  return forbidden(
    `Access denied: ${name} is a shared repository, and this deployment does not serve it. Use a graph of your own.`,
  );
}

function forbidden(message: string): ServiceError {
  return new ServiceError('forbidden', 'FORBIDDEN', message);
}
