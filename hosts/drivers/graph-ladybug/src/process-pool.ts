import { setTimeout as sleep } from 'node:timers/promises';
import { GraphStoreError } from '@pacioli/core/ports';
import { EngineProcess } from './engine-process.ts';
import type { Settings } from './options.ts';

/** `load` is `write` for a generation that is not complete, so that it must stay open. */
type Mode = 'read' | 'write' | 'load';

interface Slot {
  readonly path: string;
  readonly mode: Mode;
  readonly worker: Promise<EngineProcess>;
  started?: EngineProcess;
}

const sweepMs = 60_000;
const drainStepMs = 20;
const maxDrainMs = 5_000;

/**
 * COPY needs a pool that grows with its table: with that of a reader (256 MB) four million nodes do not load, with 512 MB
 * they do. Half of the memory is left for what the pool does not hold (graphs E-12).
 */
const loadPoolBytes = ({ bufferPoolBytes, maxMemoryBytes }: Settings): number =>
  Math.max(bufferPoolBytes, Math.floor(maxMemoryBytes / 2));

/** The open databases of a host, each in its own process; a dead process is replaced on the next call. */
export class ProcessPool {
  readonly #settings: Settings;
  /** By path, and by path and number for further readers of the same file. */
  readonly #slots = new Map<string, Slot>();
  readonly #sweep: NodeJS.Timeout;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#sweep = setInterval(() => void this.#closeIdle(), sweepMs);
    this.#sweep.unref();
  }

  counts(): { open_databases: number; running_statements: number } {
    const started = [...this.#slots.values()].flatMap((slot) => slot.started ?? []);
    return {
      open_databases: started.filter((worker) => worker.isAlive).length,
      running_statements: started.reduce((sum, worker) => sum + worker.running, 0),
    };
  }

  /** The worker of a file if it is open for writing. */
  async writer(path: string): Promise<EngineProcess | undefined> {
    const slot = this.#slots.get(path);
    const worker = slot?.mode === 'read' ? undefined : await slot?.worker;
    return worker?.isAlive === true ? worker : undefined;
  }

  /**
   * Returns the worker of a file. While a generation is open for writing, its reads use the writer's handle; opening it
   * for writing first lets running reads finish.
   */
  async worker(path: string, mode: Mode): Promise<EngineProcess> {
    const slot = this.#slots.get(path);
    if (slot !== undefined) {
      const worker = await slot.worker;
      if (worker.isAlive && (slot.mode !== 'read' || mode === 'read')) return worker;
      if (this.#slots.get(path) === slot) {
        await (mode === 'read' ? this.#closeSlot(path, maxDrainMs) : this.close(path, maxDrainMs));
      }
      return this.worker(path, mode);
    }
    // The first reader may have died while further ones of the file are open.
    if (mode !== 'read') await this.close(path, maxDrainMs);
    await this.#evict();
    // Another caller may have opened it while the eviction was awaited.
    return this.#slots.has(path) ? this.worker(path, mode) : this.#start(path, mode);
  }

  /**
   * Returns the first reader of a file, or another reader with free threads while long statements occupy the first. The
   * engine does not share threads fairly, so a short statement would wait until a long one ends.
   */
  async reader(path: string): Promise<EngineProcess> {
    const first = await this.worker(path, 'read');
    const { threadsPerStatement, maxReadersPerDatabase } = this.#settings;
    const slotOfFirst = this.#slots.get(path);
    if (slotOfFirst?.mode !== 'read' || !first.isOccupied(threadsPerStatement)) return first;
    for (let number = 2; number <= maxReadersPerDatabase; number += 1) {
      const key = readerKey(path, number);
      const slot = this.#slots.get(key);
      if (slot === undefined && !(await this.#hasPlaceForReader())) return first;
      // The file may have been closed, or opened for writing, while a process was awaited.
      if (this.#slots.get(path) !== slotOfFirst) return this.reader(path);
      const started = this.#slots.get(key) ?? slot;
      const worker = await (started?.worker ?? this.#start(path, 'read', number)).catch(() => undefined);
      if (this.#slots.get(path) !== slotOfFirst) return this.reader(path);
      if (worker?.isAlive !== true) {
        if (slot !== undefined) this.#forget(key, slot);
      } else if (!worker.isOccupied(threadsPerStatement)) return worker;
    }
    return first;
  }

  /** Makes a place for a further reader. They take at most half of the processes, so that other files find one. */
  async #hasPlaceForReader(): Promise<boolean> {
    const further = [...this.#slots].filter(([key, { path }]) => key !== path).length;
    if (further >= Math.floor(this.#settings.maxProcesses / 2)) return false;
    try {
      await this.#evict();
      return true;
    } catch (error) {
      if (error instanceof GraphStoreError) return false;
      throw error;
    }
  }

  /** Closes the workers of a file. Running reads get `drainMs` to finish, then they are terminated. */
  async close(path: string, drainMs = 0): Promise<void> {
    const keys = [...this.#slots].filter(([, slot]) => slot.path === path).map(([key]) => key);
    await Promise.all(keys.map((key) => this.#closeSlot(key, drainMs)));
  }

  async #closeSlot(key: string, drainMs = 0): Promise<void> {
    const slot = this.#slots.get(key);
    if (slot === undefined) return;
    this.#slots.delete(key);
    const worker = await slot.worker.catch(() => undefined);
    if (worker === undefined) return;
    const deadline = Date.now() + drainMs;
    while (worker.running > 0 && worker.isAlive && Date.now() < deadline) await sleep(drainStepMs);
    // The engine cannot interrupt a statement, so the process would wait for it (graphs M-20).
    if (drainMs > 0 && worker.running > 0)
      worker.kill(new GraphStoreError('unavailable', 'The graph was replaced while the query ran: retry it.'));
    await worker.close();
  }

  async closeAll(): Promise<void> {
    clearInterval(this.#sweep);
    await Promise.allSettled([...this.#slots.keys()].map((key) => this.#closeSlot(key)));
  }

  #start(path: string, mode: Mode, number = 1): Promise<EngineProcess> {
    const { maxDatabaseBytes, threadsPerStatement, maxMemoryBytes } = this.#settings;
    const access = mode === 'read' ? ('read' as const) : ('write' as const);
    const bufferPoolBytes = mode === 'load' ? loadPoolBytes(this.#settings) : this.#settings.bufferPoolBytes;
    const request = { path, mode: access, bufferPoolBytes, maxDatabaseBytes, threads: threadsPerStatement };
    const key = readerKey(path, number);
    const slot: Slot = {
      path,
      mode,
      worker: EngineProcess.start(request, { maxMemoryBytes, isLoading: mode === 'load' }),
    };
    this.#slots.set(key, slot);
    slot.worker.then(
      (worker) => {
        slot.started = worker;
      },
      () => this.#forget(key, slot),
    );
    return slot.worker;
  }

  #forget(key: string, slot: Slot): void {
    if (this.#slots.get(key) === slot) this.#slots.delete(key);
  }

  /** Closes the least recently used idle process, further readers of a file first (graphs C-3). */
  async #evict(): Promise<void> {
    if (this.#slots.size < this.#settings.maxProcesses) return;
    const idle = [...this.#slots]
      .filter(([, slot]) => slot.mode !== 'load' && slot.started !== undefined && slot.started.running === 0)
      .sort(
        ([leftKey, left], [rightKey, right]) =>
          Number(rightKey !== right.path) - Number(leftKey !== left.path) ||
          (left.started?.usedAt ?? 0) - (right.started?.usedAt ?? 0),
      )[0];
    if (idle === undefined) throw new GraphStoreError('unavailable', 'All graph engines are busy: retry in a moment.');
    await this.#closeSlot(idle[0]);
  }

  async #closeIdle(): Promise<void> {
    const before = Date.now() - this.#settings.maxIdleMs;
    for (const [key, slot] of [...this.#slots]) {
      const worker = slot.started;
      if (slot.mode !== 'load' && worker !== undefined && worker.running === 0 && worker.usedAt < before)
        await this.#closeSlot(key);
    }
  }
}

/** No path contains the separator. */
const readerKey = (path: string, number: number): string => (number === 1 ? path : `${path}\n${number}`);
