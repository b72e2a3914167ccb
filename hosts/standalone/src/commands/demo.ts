import { Command } from 'commander';

export function demoCommand(): Command {
  return new Command('demo')
    .description('Sets up the demo company in a running service and prints its books.')
    .requiredOption('--url <url>', 'base URL of the service')
    .requiredOption('--api-key <key>', 'API key of a user who may create a graph')
    .action(async (options: { readonly url: string; readonly apiKey: string }) => {
      // Imported here because only this command needs them, while every command loads this file.
      const { renderBooks } = await import('../demo/print-books.ts');
      const { newDemo, seedDemo } = await import('../demo/seed-demo.ts');
      const { connectLedger } = await import('@pacioli/import-beancount/client');
      const url = options.url.replace(/\/+$/, '');
      const demo = await seedDemo({
        url,
        state: { ...newDemo(), apiKey: options.apiKey },
        onState: () => undefined,
        onProgress: () => undefined,
      });
      console.log(await renderBooks(connectLedger({ url, apiKey: demo.apiKey }), demo.graphId));
      console.log(`\nGraph ${demo.graphId}`);
    });
}
