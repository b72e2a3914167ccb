const answerOnce = require('./answer-once.cjs');
const { default: blocks } = require('@pacioli/blocks');
const assembly = require('@pacioli/core/assembly');
const koa = require('@pacioli/host-koa');
const { default: ledger } = require('@pacioli/ledger');
const store = require('@pacioli/store-postgres');
const { default: taxonomy } = require('@pacioli/taxonomy');

answerOnce({ assembly, koa, store, plugins: [taxonomy, blocks, ledger] });
