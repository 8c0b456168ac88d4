/** Why an attempt failed, with what the receiver responded, if it did. */
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
