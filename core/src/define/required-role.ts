/**
 * The minimum role of a caller on the graph to use a part (platform P-10 to P-17).
 * `owner` is the owner of the organization, who is an admin of every graph of it.
 */
export type RequiredRole = 'viewer' | 'member' | 'admin' | 'owner';

/** The effect of a part on data, which also sets the hints of its tool (platform N-32). */
export type Effect = 'read' | 'write' | 'destructive';
