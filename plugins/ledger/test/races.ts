/** Milliseconds for a race: test machines are busy, and a caller may wait 5 seconds for a lock. */
export const timeout = 120_000;

/** A one-time signal between two sides of a test. */
export function signal(): { readonly given: Promise<void>; give(): void } {
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give() };
}
