/** Names and sizes that a schema definition may have (graphs CS-3 to CS-10). */

export const identifierForm = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
export const keyTypes = ['STRING', 'INT64', 'UUID', 'DATE', 'TIMESTAMP'];
export const reservedNodes = [
  'SystemConfig',
  'SchemaVersion',
  'AuditLog',
  'Permission',
  'Role',
  'Session',
  'Lock',
  'Migration',
  'SystemUser',
];
export const reservedRelationships = ['OWNS', 'MANAGES', 'LOGS', 'GRANTS', 'DENIES', 'MIGRATES', 'LOCKS'].map(
  (verb) => `SYSTEM_${verb}`,
);
export const reservedColumns = ['file_id', 'src', 'dst', 'from', 'to'];

/** Limits of graphs CS-10. */
export const maxNodes = 200;
export const maxRelationships = 400;
export const maxProperties = 200;
export const maxBytes = 256 * 1024;
export const maxNameCharacters = 255;
