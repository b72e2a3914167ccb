import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { environmentWithoutSettings } from '@pacioli/testing';

/** The program built before the tests, because compiling the sources would take each process seconds. */
const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const maxReadyMs = 240_000;
const pollMs = 50;

/** The program as a user starts it, in its own process. */
export interface Standalone {
  readonly url: string;
  readonly child: ChildProcess;
  /** Its output so far. */
  output(): string;
  /** Kills it without a chance to clean up. */
  kill(): Promise<void>;
  /** Signals it to stop and waits for its end. Returns the exit code. */
  stop(): Promise<number>;
}

/** A free port. Another process may take it before it is used. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // A listening TCP server has one.
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts `pacioli` with these arguments; its environment has only the given Pacioli variables. */
export function spawnPacioli(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  folder = process.cwd(),
): ChildProcess {
  return spawn(process.execPath, [main, ...words], {
    cwd: folder,
    env: { ...environmentWithoutSettings(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs `pacioli` with these arguments to its end. */
export async function runPacioli(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  folder = process.cwd(),
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const child = spawnPacioli(words, environment, folder);
  let out = '';
  let err = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  const [code] = await once(child, 'close');
  return { code: Number(code), out, err };
}

/** Starts the server and waits for its first 200. */
export async function startStandalone(
  environment: Readonly<Record<string, string>>,
  words: readonly string[] = ['serve'],
): Promise<Standalone> {
  const port = environment['PORT'] ?? String(await freePort());
  const child = spawnPacioli(words, {
    DEMO: 'off',
    PACIOLI_LOG_LEVEL: 'error',
    // Tests send requests faster than the standard rate limits allow.
    PACIOLI_RATE_LIMITS_PROFILE: 'test',
    PACIOLI_JWT_SECRET: 'a secret that only tests know: 0123456789',
    ...environment,
    PORT: port,
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  const exited = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url, child, () => text).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  return {
    url,
    child,
    output: () => text,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    stop: async () => {
      child.kill('SIGTERM');
      const [code] = await exited;
      return typeof code === 'number' ? code : 128;
    },
  };
}

async function untilReady(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = Date.now() + maxReadyMs;
  for (;;) {
    const status = await fetch(`${url}/v1/status`).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return;
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`The server did not start:\n${output()}`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
