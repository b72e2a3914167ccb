/** Nothing was created, for a reason that the author can correct; shown as one line. */
export class CreationError extends Error {
  override readonly name = 'CreationError';
}
