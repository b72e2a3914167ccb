export { OperatorRequests } from './operator-requests.ts';
export { type OperatorRunInput, operatorRunInput } from './run-input.ts';
