import { Command } from 'commander';
import { findConfigFile } from '../config-file.ts';

/** Column widths; with the borders the table is 120 columns wide. */
const columns = [39, 20, 57];

/** Lists every environment switch with its meaning, accepted values and default. */
export function switchesCommand(): Command {
  return new Command('switches')
    .description('Lists every PACIOLI_ switch with its default, its meaning and its accepted values.')
    .action(async () => {
      // Imported here because every command loads this file.
      const [{ default: Table }, { switchRows }, { loadConfig }] = await Promise.all([
        import('cli-table3'),
        import('../switch-rows.ts'),
        import('../load-config.ts'),
      ]);
      const { plugins } = await loadConfig(findConfigFile(process.cwd(), process.env['PACIOLI_CONFIG']));
      const table = new Table({
        head: ['Switch', 'Default', 'Meaning and values'],
        colWidths: columns,
        wordWrap: true,
        style: { head: [], border: [] },
      });
      for (const { name, standard, meaning, takes } of switchRows(plugins))
        table.push([name, standard, `${meaning}\nTakes ${takes}.`]);
      console.log(table.toString());
    });
}
