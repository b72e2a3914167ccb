import {
  contribute,
  credits,
  graphAccess,
  kernel,
  kernelSettings,
  operationRuns,
  provide,
  tokenPrices,
  toolCatalog,
} from '@pacioli/core';
import { autoMapper, taxonomyReads } from '@pacioli/taxonomy';
import { analyst, author, mapping } from './built-in/index.ts';
import { config } from './config.ts';
import { OperatorRequests } from './requests/index.ts';
import { OperatorRunner } from './running/index.ts';
import { operatorServices, operators } from './tokens.ts';

export const providers = [
  provide(operatorServices, {
    services: {
      operators,
      config: config.token,
      model: kernel.languageModel,
      prices: tokenPrices,
      credits,
      runs: operationRuns,
      store: kernel.store,
      settings: kernelSettings,
      access: graphAccess,
      catalog: toolCatalog,
    },
    create: (use) => {
      const requests = new OperatorRequests(use);
      return { requests, runner: new OperatorRunner({ ...use, requests }) };
    },
  }),
];

export const contributions = [
  contribute(operators, 'analyst', { create: () => analyst }),
  contribute(operators, 'author', {
    services: { config: config.token },
    create: (use) => author({ maxCredits: use.config.authorMaxCredits }),
  }),
  contribute(operators, 'mapping', {
    services: { autoMapper, reads: taxonomyReads },
    create: (use) => mapping(use),
  }),
];
