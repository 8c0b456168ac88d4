import type { components } from './api.ts';

/** The codes of the service; UNEXPECTED_ANSWER when something else answered, such as a proxy. */
export type ApiErrorCode = components['schemas']['ErrorCode'] | 'UNEXPECTED_ANSWER';

/** One failing field of the input: a path such as `assigned_user_ids[2]`. */
export type FieldError = { field: string; message: string };

type Failure = {
  message?: string;
  code?: ApiErrorCode;
  error?: { code: ApiErrorCode; details?: FieldError[] };
  errors?: { field: string; msg: string }[];
};

/** A failure that the service answered, of either envelope. Go by `code`; `message` is for people. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ApiErrorCode;
  readonly details: readonly FieldError[];
  /** Seconds to wait before the next try, with RATE_LIMITED and SERVICE_UNAVAILABLE. */
  readonly retryAfter: number | undefined;
  /** What names the request in the service's log. */
  readonly requestId: string | undefined;

  constructor(response: Response, failure: Failure) {
    super(failure.message ?? `The answer ${response.status} is not one of the service.`);
    this.name = 'ApiError';
    this.status = response.status;
    this.code = failure.error?.code ?? failure.code ?? 'UNEXPECTED_ANSWER';
    this.details = failure.error?.details ?? failure.errors?.map(({ field, msg }) => ({ field, message: msg })) ?? [];
    const seconds = response.headers.get('Retry-After');
    this.retryAfter = seconds === null ? undefined : Number(seconds);
    this.requestId = response.headers.get('X-Request-Id') ?? undefined;
  }

  /** Reads a failed answer, whatever it is. */
  static async of(response: Response): Promise<ApiError> {
    const body: unknown = await response.json().catch(() => undefined);
    const known = typeof body === 'object' && body !== null && 'success' in body;
    return new ApiError(response, known ? (body as Failure) : {}); // the document's two failure envelopes
  }
}

/** Whether it is a failure of the service, with that code if one is named. */
export function isApiError(error: unknown, code?: ApiErrorCode): error is ApiError {
  return error instanceof ApiError && (code === undefined || error.code === code);
}
