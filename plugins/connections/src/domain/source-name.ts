/** Names that events carry without a connection, and those of the providers (ledger L-116). */
const reserved = ['manual', 'system', 'schedule', 'native'];

const form = /^[a-z][a-z0-9_-]{0,62}$/;

/** What is wrong with the name of an external source, and with which kind of issue; undefined when nothing is. */
export function problemOfSourceName(
  name: string,
  providers: readonly string[],
): { readonly msg: string; readonly type: string } | undefined {
  if (!form.test(name)) {
    const msg =
      'Choose 1 to 63 characters: lowercase letters, digits, "_" and "-", beginning with a letter, such as shopfeed';
    return { msg, type: 'string_pattern_mismatch' };
  }
  if (reserved.includes(name) || providers.includes(name)) {
    return {
      msg: `'${name}' is taken by the books themselves or by a provider. Choose another name`,
      type: 'value_error',
    };
  }
  return undefined;
}
