import { Command } from 'commander';
import { hostSwitches } from '../host-switches.ts';
import { kernelSwitches, takenBy } from '../kernel-switches.ts';

/** Column widths; with the borders the table is 120 columns wide. */
const columns = [39, 20, 57];

/** Lists every environment switch with its meaning, accepted values and default. */
export function switchesCommand(): Command {
  return new Command('switches')
    .description('Lists every PACIOLI_ switch with its default, its meaning and its accepted values.')
    .action(async () => {
      const { default: Table } = await import('cli-table3'); // Imported here because every command loads this file.
      const table = new Table({
        head: ['Switch', 'Default', 'Meaning and values'],
        colWidths: columns,
        wordWrap: true,
        style: { head: [], border: [] },
      });
      for (const [name, standard, meaning, takes] of switchRows())
        table.push([name, standard, `${meaning}\nTakes ${takes}.`]);
      console.log(table.toString());
    });
}

function switchRows(): readonly (readonly [name: string, standard: string, meaning: string, takes: string])[] {
  const host = Object.entries(hostSwitches).map(
    ([name, { standard, meaning, takes }]) => [name, standard, meaning, takes] as const,
  );
  const kernel = [...kernelSwitches].map(
    ([name, each]) => [name, shown(each.standard), each.words.meaning, takenBy(each)] as const,
  );
  return [...host, ...kernel].sort(([a], [b]) => (a < b ? -1 : 1));
}

function shown(standard: unknown): string {
  if (Array.isArray(standard)) return standard.join(',');
  return typeof standard === 'number' ? String(Number(standard.toPrecision(6))) : String(standard);
}
