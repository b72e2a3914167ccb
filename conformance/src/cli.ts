#!/usr/bin/env node
import { readFileSync, writeFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { parseExpectedFailures } from './expected-failures.ts';
import { Progress } from './progress.ts';
import { proposeExpectedFailures } from './propose-failures.ts';
import { formatReport } from './report.ts';
import { runConformance } from './runner.ts';

interface Options {
  readonly url: string;
  readonly key?: string;
  readonly json?: string;
  readonly expectedFailures?: string;
  readonly only?: readonly string[];
  readonly exact?: true;
  readonly subset?: true;
  readonly propose?: true;
  readonly verbose?: true;
}

const program = new Command('pacioli-conformance')
  .description('Tests a running deployment over HTTP: its documents against the contract, its behavior by cases.')
  .requiredOption('--url <url>', 'base URL of the deployment, including its prefix', readUrl)
  .option('--key <key>', 'API key of a user who may create graphs; without one, users are registered')
  .option('--json <file>', 'write every result to this file')
  .option('--expected-failures <file>', "list of known failures, instead of the package's own")
  .option('--only <prefix...>', 'run the cases whose ids begin with a prefix, such as PLAT or "GEN-001 GET /v1"')
  .option('--exact', 'fail for operations, queries and fields beyond the contract, instead of listing them')
  .option('--subset', 'allow that operations and queries are not served, for a deployment without some plugins')
  .option('--propose', 'print a list of the failures of this run, to review and commit')
  .option('--verbose', 'show every case, not only those that need attention')
  .addHelpText(
    'after',
    '\nExit code: 0 conformant, 1 a MUST failed or a known failure is stale, 2 the run was not possible.',
  )
  .showHelpAfterError();

program.parse();
try {
  process.exitCode = await main(program.opts<Options>());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}

async function main(options: Options): Promise<number> {
  const file = options.expectedFailures;
  const progress = new Progress(process.stderr);
  const report = await runConformance({
    url: options.url,
    exact: options.exact === true,
    subset: options.subset === true,
    onResult: (_result, { done, all }) => progress.show(done, all),
    onWait: (wait) => progress.waiting(wait),
    ...(options.key === undefined ? {} : { key: options.key }),
    ...(options.only === undefined ? {} : { only: options.only }),
    ...(file === undefined ? {} : { expectedFailures: parseExpectedFailures(readFileSync(file, 'utf8')) }),
  });
  progress.end();
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
  if (options.propose === true) process.stdout.write(proposeExpectedFailures(report));
  else console.log(formatReport(report, { isVerbose: options.verbose === true }));
  return report.ok ? 0 : 1;
}

function readUrl(text: string): string {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '');
  throw new InvalidArgumentError('It must look like http://127.0.0.1:8000.');
}
