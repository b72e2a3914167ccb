import { type Collection, createCollection, createToken, type Token } from '@pacioli/core';
import type { Operator } from './catalog/index.ts';
import type { OperatorRequests } from './requests/index.ts';
import type { OperatorRunner } from './running/index.ts';

/** The AI operators of the deployment; the key of an entry is the type on the wire (ai-surface 7.1). */
export const operators: Collection<Operator> = createCollection('operators.operators');

/** The services behind the routes and runs of this plugin. */
interface OperatorServices {
  readonly requests: OperatorRequests;
  readonly runner: OperatorRunner;
}

export const operatorServices: Token<OperatorServices> = createToken('operators.services');
