import Table from 'cli-table3';
import { Command } from 'commander';
import { kernelSwitches } from '../kernel-switches.ts';
import { hostSwitches } from '../settings.ts';

/** Every switch that the environment can set, with what holds unless it does. */
export function switchesCommand(): Command {
  return new Command('switches').description('Lists every PACIOLI_ switch with its default.').action(() => {
    const table = new Table({ head: ['Switch', 'Unless set'], style: { head: [], border: [] } });
    const kernel = [...kernelSwitches].map(([name, { standard }]): [string, string] => [name, shown(standard)]);
    const rows = [...Object.entries(hostSwitches), ...kernel].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [name, standard] of rows) table.push([name, standard]);
    console.log(table.toString());
  });
}

function shown(standard: unknown): string {
  return Array.isArray(standard) ? standard.join(',') : String(standard);
}
