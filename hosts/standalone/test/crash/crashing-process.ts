import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '../start-standalone.ts';

const program = fileURLToPath(new URL('./process.mjs', import.meta.url));

export interface ServiceSettings {
  /** The clock of the service is ahead by this. */
  readonly minutesLater?: number;
  /** The name of the embedder. */
  readonly embedder?: string;
  /** With a plugin that has a text to search in each graph. */
  readonly withLetter?: boolean;
}

/** One process at a time on a folder and a database, which stops at a point of its work until it is killed. */
export class CrashingProcess {
  readonly #folder: string;
  readonly #databaseUrl: string;
  #child: ChildProcess | undefined;
  #output = '';

  constructor(folder: string, databaseUrl: string) {
    this.#folder = folder;
    this.#databaseUrl = databaseUrl;
  }

  /** Kills the process and starts a service; returns its address. */
  async serve(point = '', settings: ServiceSettings = {}): Promise<string> {
    const port = await freePort();
    await this.#start([String(port), point, '', JSON.stringify(settings)]);
    await this.untilPrinted('ready');
    return `http://127.0.0.1:${port}`;
  }

  /** Has the running service stop at a point, without starting another one. */
  async stopAt(point: string): Promise<void> {
    this.#child?.stdin?.write(`${point}\n`);
    await this.untilPrinted(`stops ${point}`);
  }

  /** Kills the process and starts a command, which has not ended when this returns. */
  async command(name: string, options: object, point = ''): Promise<void> {
    await this.#start(['0', point, name, JSON.stringify(options)]);
  }

  async untilPrinted(text: string): Promise<void> {
    while (!this.#output.includes(text)) {
      const child = this.#child;
      if (child?.exitCode !== null || child.stdout === null) throw new Error(`The process ended before "${text}".`);
      await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    }
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  async #start(args: readonly string[]): Promise<void> {
    await this.kill();
    this.#output = '';
    const child = spawn(process.execPath, [program, this.#folder, ...args], {
      env: { ...process.env, DATABASE_URL: this.#databaseUrl },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdout.on('data', (chunk: Buffer) => {
      this.#output += chunk.toString();
    });
    this.#child = child;
  }
}
