import { rm } from 'node:fs/promises';
import { EmbeddedEngine } from '../embedded-engine.ts';
import { embeddedStore } from '../embedded-store.ts';
import { copyDataFolder } from './data-folders.ts';
import type { StoreDriver } from './test-store.ts';

/** Compiling the engine takes a second of processor time, so all stores of a test process share one. */
const engine = new EmbeddedEngine();

export function embeddedDriver(): StoreDriver {
  return {
    name: 'embedded',
    hasManySessions: false,
    async create({ maxStatementMs } = {}, content) {
      const folder = await copyDataFolder(engine, content);
      const limit = maxStatementMs === undefined ? {} : { maxStatementMs };
      const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
      const store = await embeddedStore({ folder, engine, ...limit }).catch(async (error: unknown) => {
        await remove();
        throw error;
      });
      return {
        store,
        async dispose() {
          await store.close();
          await remove();
        },
      };
    },
    stop: async () => undefined,
  };
}
