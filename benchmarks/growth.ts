import reporting from '@pacioli/reporting';
import { embeddedStore } from '@pacioli/store-postgres';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { startBenchService } from './bench-service.ts';
import { ledgerPlugins, openBooks } from './books.ts';
import { startCallers } from './callers.ts';
import { GrowingBooks } from './growing-books.ts';
import { type MeasuredRow, measureBooks } from './growth-rows.ts';
import type { Figure } from './measure.ts';

const plugins = [...ledgerPlugins, reporting];
const usual = 'server:5000,25000,100000;embedded:5000,25000';

/** One store and the sizes at which its books are measured, smallest first. */
interface Growth {
  readonly store: 'server' | 'embedded';
  readonly sizes: readonly number[];
}

/** A service on one of the stores. */
interface Place {
  readonly service: TestService;
  readonly user: TestClient;
  close(): Promise<void>;
}

/**
 * Measures the same work on the same books as they grow, with a constant number of open items. Rates are measured for
 * some seconds each.
 */
export async function growth(wanted = usual, seconds = 4): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const each of parse(wanted)) figures.push(...(await grow(each, seconds)));
  return figures;
}

function parse(wanted: string): readonly Growth[] {
  return wanted.split(';').map((part) => {
    const [store = '', sizes = ''] = part.split(':');
    const numbers = sizes.split(',').map(Number);
    if ((store !== 'server' && store !== 'embedded') || !numbers.every((size) => size > 0))
      throw new Error(`'${wanted}' does not name stores with the sizes of their books, as '${usual}' does.`);
    return { store, sizes: numbers.sort((a, b) => a - b) };
  });
}

async function grow({ store, sizes }: Growth, seconds: number): Promise<readonly Figure[]> {
  const place = await openPlace(store);
  const callers = startCallers();
  try {
    const { graph, idOf } = await openBooks(place, '2010-01');
    const books = new GrowingBooks({
      user: place.user,
      callers,
      graph,
      accounts: {
        cash: idOf('1000'),
        receivables: idOf('1100'),
        payables: idOf('2000'),
        sales: idOf('4000'),
        tax: idOf('2300'),
        expenses: idOf('5000'),
      },
    });
    await books.begin();
    const columns: (readonly MeasuredRow[])[] = [];
    for (const size of sizes) {
      await books.growTo(size);
      columns.push(await measureBooks({ ...place, books, callers, seconds }));
    }
    const [first = []] = columns;
    return first.map((row, index) => {
      const values = columns.map((column) => column[index]?.value ?? Number.NaN);
      return figureOf(store, sizes, row, values);
    });
  } finally {
    callers.close();
    await place.close();
  }
}

function figureOf(
  store: string,
  sizes: readonly number[],
  { name, value: smallest, ...row }: MeasuredRow,
  values: readonly number[],
): Figure {
  const all = sizes.map((size, index) => `${size}: ${(values[index] ?? Number.NaN).toFixed(1)}`);
  return {
    ...row,
    name: `growth, ${store}: ${name}`,
    ours: values.at(-1) ?? Number.NaN,
    bare: smallest,
    beside: `at ${sizes[0]} events`,
    note: all.join(', '),
  };
}

async function openPlace(store: Growth['store']): Promise<Place> {
  if (store === 'server') return startBenchService(plugins);
  const opened = await embeddedStore({ folder: 'memory' });
  const service = await startTestService({ plugins, store: opened, aliases: { ledger: ['roboledger'] } });
  return {
    service,
    user: await service.newUser('Bench'),
    close: async () => {
      await service.close();
      await opened.close();
    },
  };
}
