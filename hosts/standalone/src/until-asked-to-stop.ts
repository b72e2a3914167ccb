/**
 * Resolves at the first signal to stop; a second one ends the process at once. A process that was started with a channel
 * to its parent, as by `pacioli dev`, also stops when that parent is gone.
 */
export async function untilAskedToStop(): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(1));
        resolve();
      });
    }
    process.once('disconnect', resolve);
    // The parent may be gone before anybody listened.
    if (process.connected === false) resolve();
    // The listener would keep the process alive after it has stopped.
    process.channel?.unref();
  });
}
