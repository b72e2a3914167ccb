import { ServiceError } from '@pacioli/core';

/** The kind decides the status: 409 here. The code is declared in the `errors` of each part that can throw it. */
export function alreadyOver(dueDate: string): ServiceError {
  return new ServiceError('conflict', 'ALREADY_OVER', `${dueDate} is in the past. Choose a later date, or none.`);
}
