import type { ErrorKind } from './kinds.ts';
import type { ServiceError } from './service-error.ts';
import { standardErrors } from './standard-errors.ts';

/** What the check needs of an operation, view or route. */
interface Part {
  readonly name: string;
  readonly errors?: Readonly<Record<string, string | { readonly kind: ErrorKind }>>;
}

const standardCodes: ReadonlySet<string> = new Set(standardErrors.map(({ code }) => code));

/**
 * Returns the defect of a part that fails with an error that it does not declare, or declares as another kind, so that
 * its documents would be wrong (platform X-9c); undefined if there is none.
 */
export function undeclaredError({ name, errors = {} }: Part, { code, kind }: ServiceError): Error | undefined {
  const declared = errors[code];
  if (declared === undefined) {
    if (standardCodes.has(code)) return undefined;
    return new Error(
      `${name} fails with ${code}, which it does not declare. Add it: errors: { ${code}: { kind: '${kind}', meaning: '…' } }.`,
    );
  }
  if (typeof declared === 'string' || declared.kind === kind) return undefined;
  return new Error(`${name} fails with ${code} of the kind '${kind}', but declares it as '${declared.kind}'.`);
}
