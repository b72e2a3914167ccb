/**
 * What a part asks of its caller on the graph (platform P-10 to P-17): the weakest role that may use it.
 * `owner` is the owner of the organization, who is an admin of every graph of it.
 */
export type RequiredRole = 'viewer' | 'member' | 'admin' | 'owner';

/** What a part does to data; also drives the hints of its tool (platform N-32). */
export type Effect = 'read' | 'write' | 'destructive';

/** How the 422 of a route is written: a list of issues, or one sentence (platform E-3, E-4). */
export type ValidationErrors = 'list' | 'message';
