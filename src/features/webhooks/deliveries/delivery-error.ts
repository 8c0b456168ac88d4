/** Why an attempt failed, with the response of the receiver, if any. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  readonly code: string;
  readonly status: number | undefined;
  readonly text: string | undefined;

  constructor(code: string, status?: number, text?: string) {
    super(code);
    this.code = code;
    this.status = status;
    this.text = text;
  }
}
