const maxReported = 10;

/** Notes the failure of one of many files, so that the others have their turn. */
export async function attempt(failures: unknown[], work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    failures.push(error);
    return false;
  }
}

/** Fails the job in which some files failed, after the others. */
export function throwFailures(failures: readonly unknown[]): void {
  if (failures.length === 0) return;
  const message = `${failures.length} files could not be removed. The next run of the job tries again.`;
  throw new AggregateError(failures.slice(0, maxReported), message);
}
