import { readFileSync } from 'node:fs';

const sampleMs = 100;
const pageBytes = 4096;

interface Watch {
  readonly maxMemoryBytes: number;
  isSilent(): boolean;
  tooMuch(): void;
  silent(): void;
}

/** Samples a process every 100 ms (graphs E-13), because the engine's own pool does not bound its results. */
export function watchMemory(pid: number | undefined, watch: Watch): () => void {
  const timer = setInterval(() => {
    if (pid !== undefined && residentBytes(pid) > watch.maxMemoryBytes) watch.tooMuch();
    else if (watch.isSilent()) watch.silent();
  }, sampleMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Resident memory of a process in bytes; 0 where the system has no /proc or the process has ended. */
export function residentBytes(pid: number): number {
  try {
    const pages = readFileSync(`/proc/${pid}/statm`, 'ascii').split(' ')[1];
    return Number(pages ?? 0) * pageBytes;
  } catch {
    return 0;
  }
}
