import type { components } from './api.ts';

/** UNEXPECTED_ANSWER: the response is not from the service, but from a proxy, for example. */
export type ApiErrorCode = components['schemas']['ErrorCode'] | 'UNEXPECTED_ANSWER';

/** An invalid field; its path is, for example, `assigned_user_ids[2]`. */
export type FieldError = { field: string; message: string; file_columns?: components['schemas']['FileColumn'][] };

type Failure = {
  message?: string;
  code?: ApiErrorCode;
  error?: { code: ApiErrorCode; details?: FieldError[] };
  errors?: { field: string; msg: string }[];
};

/** An error response of the service. Compare `code`; `message` is for people. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ApiErrorCode;
  readonly details: readonly FieldError[];
  /** Seconds to wait before a retry, with RATE_LIMITED and SERVICE_UNAVAILABLE. */
  readonly retryAfter: number | undefined;
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined;

  constructor(response: Response, failure: Failure) {
    super(failure.message ?? `Unexpected response with status ${response.status}.`);
    this.name = 'ApiError';
    this.status = response.status;
    this.code = failure.error?.code ?? failure.code ?? 'UNEXPECTED_ANSWER';
    this.details = failure.error?.details ?? failure.errors?.map(({ field, msg }) => ({ field, message: msg })) ?? [];
    const seconds = response.headers.get('Retry-After');
    this.retryAfter = seconds === null ? undefined : Number(seconds);
    this.requestId = response.headers.get('X-Request-Id') ?? undefined;
  }

  static async of(response: Response): Promise<ApiError> {
    const body: unknown = await response.json().catch(() => undefined);
    const known = typeof body === 'object' && body !== null && 'success' in body;
    return new ApiError(response, known ? (body as Failure) : {}); // the document's two failure envelopes
  }
}

export function isApiError(error: unknown, code?: ApiErrorCode): error is ApiError {
  return error instanceof ApiError && (code === undefined || error.code === code);
}
