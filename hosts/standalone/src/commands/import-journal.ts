import { Command, Option } from 'commander';

interface Options {
  readonly url: string;
  readonly apiKey: string;
  readonly graphName?: string;
  readonly graph?: string;
  readonly currency: string;
  readonly json?: boolean;
}

export function importJournalCommand(): Command {
  return new Command('import-journal')
    .description('Writes a plain-text journal (Beancount syntax) into a graph of a running service.')
    .argument('<file>', 'the journal')
    .requiredOption('--url <url>', 'base URL of the service')
    .requiredOption('--api-key <key>', 'API key of a user who may write')
    .option('--graph-name <name>', 'name of the graph; it is created when there is none')
    .addOption(
      new Option('--graph <id>', 'id of an existing graph to write into, instead of its name').conflicts('graphName'),
    )
    .option('--currency <code>', 'main currency of the books', 'USD')
    .option('--json', 'print one JSON object instead of text')
    .addHelpText('after', '\nRunning it twice adds nothing: existing transactions are counted as already present.')
    .action(async (file: string, options: Options) => {
      // Imported here because only this command needs them, while every command loads this file.
      const { SingleBar } = await import('cli-progress');
      const { formatReport } = await import('@pacioli/import-beancount');
      const { nextSteps } = await import('../import-next-steps.ts');
      const { runImport } = await import('@pacioli/import-beancount');
      const bar = process.stderr.isTTY
        ? new SingleBar({
            format: 'Importing {bar} {value}/{total} transactions',
            stream: process.stderr,
            clearOnComplete: true,
          })
        : undefined;
      let isStarted = false;
      try {
        const report = await runImport({
          file,
          url: options.url,
          apiKey: options.apiKey,
          graphName: options.graphName,
          graphId: options.graph,
          currency: options.currency,
          onProgress: ({ done, total }) => {
            if (!isStarted) bar?.start(total, 0);
            isStarted = true;
            bar?.update(done);
          },
        });
        bar?.stop();
        if (options.json === true) console.log(JSON.stringify(report));
        else console.log(`${formatReport(report)}\n${await nextSteps(options, report)}`);
      } finally {
        bar?.stop();
      }
    });
}
