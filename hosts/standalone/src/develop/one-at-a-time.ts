/** Runs a task for each call, one run at a time; any number of calls during a run lead to one more. */
export function oneAtATime(task: () => Promise<void>): { run(): void; idle(): Promise<void> } {
  let running: Promise<void> | undefined;
  let isAsked = false;
  const runAll = async (): Promise<void> => {
    while (isAsked) {
      isAsked = false;
      await task();
    }
  };
  return {
    run: () => {
      isAsked = true;
      running ??= runAll().finally(() => {
        running = undefined;
      });
    },
    idle: async () => {
      await running;
    },
  };
}
