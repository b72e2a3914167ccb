export { type Asked, OperatorRequests, type ResponseMode } from './operator-requests.ts';
export { type OperatorRunInput, operatorRunInput } from './run-input.ts';
