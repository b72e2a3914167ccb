import { describe, expect, it } from 'vitest';
import type { Caller, Graph, GraphRole, OrgRole } from '../define/context.ts';
import type { RequiredRole } from '../define/required-role.ts';
import { effectiveRole, refusalOf } from './roles.ts';

const roles: readonly RequiredRole[] = ['viewer', 'member', 'admin', 'owner'];

function allowed(role: GraphRole, orgRole: OrgRole, orgId = 'org_a'): readonly RequiredRole[] {
  const caller: Caller = { userId: 'user_1', email: '', name: '', credential: 'jwt', orgId, orgRole };
  const graph: Graph = { id: 'kg0', orgId: 'org_a', name: '', type: 'entity', tier: '', extensions: [], role };
  return roles.filter((role) => refusalOf(caller, graph, role) === undefined);
}

describe('roles on a graph', () => {
  it('are the grant, unless the organization role is stronger (platform P-1)', () => {
    expect(effectiveRole('viewer', 'owner')).toBe('admin');
    expect(effectiveRole('viewer', 'admin')).toBe('admin');
    expect(effectiveRole('member', 'member')).toBe('member');
    expect(effectiveRole(null, 'admin')).toBe('admin');
    expect(effectiveRole(null, 'member')).toBeUndefined();
    expect(effectiveRole(null, null)).toBeUndefined();
  });

  it('allow everything up to the role (platform P-10 to P-15)', () => {
    expect(allowed('viewer', 'member')).toEqual(['viewer']);
    expect(allowed('member', 'member')).toEqual(['viewer', 'member']);
    expect(allowed('admin', 'admin')).toEqual(['viewer', 'member', 'admin']);
  });

  it('require ownership of the graph’s organization for the owner role (platform P-16, P-17)', () => {
    expect(allowed('admin', 'owner')).toEqual(['viewer', 'member', 'admin', 'owner']);
    expect(allowed('admin', 'owner', 'org_b')).toEqual(['viewer', 'member', 'admin']);
  });
});
