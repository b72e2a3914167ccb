import type { Log } from '@pacioli/core';
import { pino } from 'pino';

/** Structured log lines on standard error; standard output is for people. Credentials are never logged. */
export function createLog(level: string): Log {
  const logger = pino(
    {
      level,
      redact: ['*.password', '*.token', '*.apiKey', '*.authorization'],
      serializers: { error: pino.stdSerializers.err },
    },
    pino.destination({ dest: 2, sync: false }),
  );
  return {
    debug: (message, fields) => logger.debug(fields ?? {}, message),
    info: (message, fields) => logger.info(fields ?? {}, message),
    warn: (message, fields) => logger.warn(fields ?? {}, message),
    error: (message, fields) => logger.error(fields ?? {}, message),
  };
}
