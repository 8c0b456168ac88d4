/** For the person who starts the service or runs a command. The message says what to do, and is all that they see. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
}
