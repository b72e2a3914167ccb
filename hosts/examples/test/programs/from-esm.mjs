import blocks from '@pacioli/blocks';
import * as assembly from '@pacioli/core/assembly';
import * as koa from '@pacioli/host-koa';
import ledger from '@pacioli/ledger';
import * as store from '@pacioli/store-postgres';
import taxonomy from '@pacioli/taxonomy';
import answerOnce from './answer-once.cjs';

await answerOnce({ assembly, koa, store, plugins: [taxonomy, blocks, ledger] });
