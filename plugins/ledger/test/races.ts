/** Milliseconds of a race: everything takes its time on a busy machine, and a caller may wait 5 seconds for a lock. */
export const timeout = 120_000;

/** Something that one side waits for and the other gives. */
export function signal(): { readonly given: Promise<void>; give(): void } {
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give() };
}
