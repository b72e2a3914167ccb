/** Namespaces and roles of the standards that a package uses. */
export const spaces = {
  xs: 'http://www.w3.org/2001/XMLSchema',
  xbrli: 'http://www.xbrl.org/2003/instance',
  link: 'http://www.xbrl.org/2003/linkbase',
  xlink: 'http://www.w3.org/1999/xlink',
  xbrldt: 'http://xbrl.org/2005/xbrldt',
  xbrldi: 'http://xbrl.org/2006/xbrldi',
  iso4217: 'http://www.xbrl.org/2003/iso4217',
  dtr: 'http://www.xbrl.org/dtr/type/2020-01-21',
} as const;

export const schemaLocations = {
  xbrli: 'http://www.xbrl.org/2003/xbrl-instance-2003-12-31.xsd',
  xbrldt: 'http://www.xbrl.org/2005/xbrldt-2005.xsd',
  dtr: 'https://www.xbrl.org/dtr/type/2020-01-21/types.xsd',
} as const;

export const standardRole = 'http://www.xbrl.org/2003/role/link';
export const conceptLabel = 'http://www.xbrl.org/2003/arcrole/concept-label';
export const linkbaseArcrole = 'http://www.w3.org/1999/xlink/properties/linkbase';

/** Where the roles of reversed labels are declared (reporting X-28). */
export const negatedRoles = {
  space: 'http://www.xbrl.org/2009/role/',
  schema: 'http://www.xbrl.org/lrr/role/negated-2009-12-16.xsd',
} as const;

const dimensionBase = 'http://xbrl.org/int/dim/arcrole/';

/** The arcroles of dimensions, all of which a definition linkbase declares (reporting X-26). */
export const dimensionArcroles = {
  all: `${dimensionBase}all`,
  hypercubeDimension: `${dimensionBase}hypercube-dimension`,
  dimensionDomain: `${dimensionBase}dimension-domain`,
  dimensionDefault: `${dimensionBase}dimension-default`,
  domainMember: `${dimensionBase}domain-member`,
} as const;
