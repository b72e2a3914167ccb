import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { CreateBucketCommand, ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';

/** A server that is compatible with S3, in its own process, with one empty bucket. */
export interface ObjectStore {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** The keys of uploads in parts that were neither completed nor aborted. */
  unfinishedKeys(): Promise<readonly string[]>;
  /** Ends the process; its objects stay until `close`. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** The command that installs the server, for messages to developers; `.ci/run` runs the same one. */
export const objectStoreInstallation = 'go install github.com/versity/versitygw/cmd/versitygw@v1.8.0';

const maxReadyMs = 60_000;
const pollMs = 20;

/** The program of the server, or undefined if it is not installed (decision 0045). */
export function objectStoreProgram(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), join(homedir(), 'go', 'bin')];
  return folders.map((folder) => join(folder, 'versitygw')).find((file) => existsSync(file));
}

/** Starts the server on a free port of the loopback address, with a temporary folder. */
export async function startObjectStore(): Promise<ObjectStore> {
  const program = objectStoreProgram();
  if (program === undefined) throw new Error(`The object store is not installed: ${objectStoreInstallation}`);
  const folder = await mkdtemp(join(tmpdir(), 'pacioli-object-store-'));
  const access = {
    region: 'us-east-1',
    bucket: 'pacioli-files',
    credentials: { accessKeyId: 'test-access', secretAccessKey: 'test-secret-0123456789' },
  };
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const child = await spawnServer(program, { folder, port, ...access });
  const client = new S3Client({ ...access, endpoint, forcePathStyle: true });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  const close = async (): Promise<void> => {
    client.destroy();
    await stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilReady(`${endpoint}/health`, child);
    await client.send(new CreateBucketCommand({ Bucket: access.bucket }));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    ...access,
    endpoint,
    unfinishedKeys: async () => {
      const { Uploads } = await client.send(new ListMultipartUploadsCommand({ Bucket: access.bucket }));
      return (Uploads ?? []).map(({ Key = '' }) => Key);
    },
    stop,
    close,
  };
}

async function spawnServer(
  program: string,
  server: Pick<ObjectStore, 'credentials' | 'region'> & { readonly folder: string; readonly port: number },
): Promise<ChildProcess> {
  const { accessKeyId, secretAccessKey } = server.credentials;
  const buckets = join(server.folder, 'buckets');
  // Beside the objects, because not every file system has the attributes that the server would use.
  const sidecar = join(server.folder, 'attributes');
  await mkdir(buckets);
  await mkdir(sidecar);
  const words = ['--port', `127.0.0.1:${server.port}`, '--region', server.region, '--health', '/health', '--quiet'];
  return spawn(program, [...words, 'posix', '--sidecar', sidecar, buckets], {
    // Only what it needs: variables of the shell could configure it.
    env: { ROOT_ACCESS_KEY: accessKeyId, ROOT_SECRET_KEY: secretAccessKey },
    stdio: 'ignore',
  });
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + maxReadyMs;
  for (;;) {
    const isReady = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (isReady) return;
    if (child.exitCode !== null || Date.now() > deadline) throw new Error('The object store did not start.');
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

/** A free port. Another process may take it before it is used. */
async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // A listening TCP server has one.
  server.close();
  await once(server, 'close');
  return port;
}
