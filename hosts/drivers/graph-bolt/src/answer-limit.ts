/**
 * A limit on what a server sends for one request of rows. The driver keeps the rows of a request, and has no setting for
 * their size: a statement that returns one list of long texts would take the memory of this process (graphs E-38).
 */
import type { Socket } from 'node:net';
import type { Transaction } from 'neo4j-driver';

/** For the rows of one request, which is at most 1,000 of them. */
const maxAnswerBytes = 64 * 1024 * 1024;

/** Identifies the error of a connection that was dropped at the limit. */
export const answerTooLarge = 'The rows of one request are larger than 64 MB.';

/** The driver's own connection, which its types leave out. `limitAnswers` fails with a version that has other names. */
interface Connection {
  readonly _delegate?: Connection;
  readonly _ch?: { readonly _conn?: Socket };
}
interface OwnParts {
  readonly _connectionHolder?: { getConnection(): Promise<Connection | null> };
}

/** The transaction whose rows are counted, for each connection that has had one. */
const counted = new WeakMap<Socket, { transaction: Transaction }>();

/** Drops the connection of this transaction when the answer to one request is too large; what uses it later is free. */
export async function limitAnswers(transaction: Transaction): Promise<void> {
  const socket = await socketOf(transaction);
  const known = counted.get(socket);
  if (known === undefined) counted.set(socket, countedFor(socket, transaction));
  else known.transaction = transaction;
}

async function socketOf(transaction: Transaction): Promise<Socket> {
  let connection = await (transaction as unknown as OwnParts)._connectionHolder?.getConnection();
  while (connection?._delegate !== undefined) connection = connection._delegate;
  const socket = connection?._ch?._conn;
  if (socket === undefined) throw new Error('This version of neo4j-driver keeps its sockets elsewhere.');
  return socket;
}

function countedFor(socket: Socket, transaction: Transaction): { transaction: Transaction } {
  const current = { transaction };
  let requestedBytes = socket.bytesWritten;
  let answeredBytes = 0;
  socket.on('data', (bytes: Buffer) => {
    // The driver has sent a request since, so a new answer begins.
    if (socket.bytesWritten !== requestedBytes) {
      requestedBytes = socket.bytesWritten;
      answeredBytes = 0;
    }
    answeredBytes += bytes.length;
    if (answeredBytes > maxAnswerBytes && current.transaction.isOpen()) socket.destroy(new Error(answerTooLarge));
  });
  return current;
}
