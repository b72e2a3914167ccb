/** Names used by events without a connection and by providers (ledger L-116). */
const reserved = ['manual', 'system', 'schedule', 'native'];

const form = /^[a-z][a-z0-9_-]{0,62}$/;

/** The reason why a source name is invalid, with its issue type; undefined for a valid name. */
export function problemOfSourceName(
  name: string,
  taken: readonly string[],
): { readonly msg: string; readonly type: string } | undefined {
  if (!form.test(name)) {
    const msg =
      'Choose 1 to 63 characters: lowercase letters, digits, "_" and "-", beginning with a letter, such as shopfeed';
    return { msg, type: 'string_pattern_mismatch' };
  }
  if (reserved.includes(name) || taken.includes(name)) {
    return {
      msg: `'${name}' is reserved for the ledger, a plugin or a provider. Choose another name`,
      type: 'value_error',
    };
  }
  return undefined;
}
