/** The client of the public interface that the import uses; other programs may use it as well. */

export { reasonOf } from './error-message.ts';
export { field, listField, textField } from './json-fields.ts';
export {
  type ApiAnswer,
  connectLedger,
  detailOf,
  ImportError,
  isSuccess,
  type LedgerApi,
  requireSuccess,
} from './ledger-api.ts';
export { JournalError } from './problem.ts';
export { withRetries } from './retrying-api.ts';
