#!/usr/bin/env node
import { Command } from 'commander';
import { auditCommand } from './commands/audit.ts';
import { conformanceCommand } from './commands/conformance.ts';
import { demoCommand } from './commands/demo.ts';
import { documentCommands } from './commands/documents.ts';
import { importJournalCommand } from './commands/import-journal.ts';
import { ledgerVerifyCommand } from './commands/ledger-verify.ts';
import { libraryCommand } from './commands/library.ts';
import { migrateCommand } from './commands/migrate.ts';
import { serveCommand } from './commands/serve.ts';
import { switchesCommand } from './commands/switches.ts';
import { workCommand } from './commands/work.ts';
import { reportProblem } from './report-problem.ts';

const program = new Command('pacioli')
  .description('Accounting, reporting and analysis on knowledge graphs.')
  .version('0.1.0')
  .showHelpAfterError()
  .addCommand(serveCommand())
  .addCommand(workCommand())
  .addCommand(migrateCommand())
  .addCommand(importJournalCommand())
  .addCommand(demoCommand())
  .addCommand(auditCommand())
  .addCommand(ledgerVerifyCommand())
  .addCommand(libraryCommand())
  .addCommand(switchesCommand())
  .addCommand(conformanceCommand());
for (const command of documentCommands()) program.addCommand(command);

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = reportProblem(error);
}
