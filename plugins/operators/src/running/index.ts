export { OperatorRunner } from './operator-runner.ts';
