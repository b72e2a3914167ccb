import { Command } from 'commander';
import { openDeployment } from '../deployment.ts';
import { createLog } from '../log.ts';
import { readSettings } from '../settings.ts';
import { StartUpError } from '../start-up-error.ts';
import { untilAskedToStop } from '../until-asked-to-stop.ts';

export function workCommand(): Command {
  return new Command('work')
    .description('Runs queued operations and jobs for "pacioli serve --no-worker" processes.')
    .addHelpText('after', '\nNeeds DATABASE_URL: the embedded store belongs to one process.')
    .action(async () => {
      const settings = readSettings(process.env);
      if (settings.databaseUrl === undefined) {
        throw new StartUpError(
          'A separate worker needs DATABASE_URL. With the embedded store the worker runs inside "pacioli serve".',
        );
      }
      const deployment = await openDeployment(settings, createLog(settings.switches.logLevel));
      await deployment.service.startWorker();
      console.log('The worker is running queued operations. Stop it with Ctrl+C.');
      await untilAskedToStop();
      console.log('Stopping; running operations return to the queue …');
      await deployment.close();
    });
}
