import { createHash } from 'node:crypto';

/**
 * The namespace of every id of the shipped library. It never changes, because tenants' mappings hold such ids (LB-4).
 */
const libraryNamespace = 'd3c1b8a4-6f0e-5d4b-9a37-2f1c7e8b5a60';

/** The deterministic id of a library row: a UUID version 5 of its kind and name, the same in every deployment. */
export function libraryId(kind: 'taxonomy' | 'element' | 'structure' | 'association' | 'rule', name: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(libraryNamespace.replaceAll('-', ''), 'hex'))
    .update(`${kind}:${name}`)
    .digest()
    .subarray(0, 16);
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6); // Version 5 (RFC 9562, 5.5).
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8); // The variant of RFC 9562, 4.1.
  const hex = hash.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
