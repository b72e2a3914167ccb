/** A start-up error that an operator can fix; shown as one line without a stack (platform H-4a). */
export class StartUpError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.name = 'StartUpError';
    this.exitCode = exitCode;
  }
}
