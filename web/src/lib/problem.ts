import { ApiError } from './api.ts';
import { commonMessages } from './messages.ts';
import { isResting } from './rest.ts';
import { type Translate, useTexts } from './texts.ts';

/** A failure in words: those of the service, or that it could not be reached. `isCounted`: another place counts the wait. */
export function useProblem() {
  const t: Translate<typeof commonMessages> = useTexts(commonMessages);
  return (error: unknown, isCounted = isResting(error)): string => {
    if (!(error instanceof ApiError)) return t('network');
    const { message, status, retryAfter, requestId = '' } = error;
    const wait = retryAfter === undefined || isCounted ? '' : ` ${t('wait', { count: retryAfter })}`;
    const id = status < 500 || message.includes(requestId) ? '' : ` ${t('request', { id: requestId })}`;
    return `${message}${wait}${id}`;
  };
}

/** What the service objects to in one field. */
export function fieldProblem(error: unknown, field: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const message = error.details.find((detail) => detail.field === field)?.message;
  return message?.startsWith(`${field} `) === true ? message.slice(field.length + 1) : message; // at the field its name is known
}

/** Whether every objection stands at one of these fields, so that nothing else has to be said. */
export function isAtFields(error: unknown, fields: readonly string[]): boolean {
  return (
    error instanceof ApiError &&
    error.details.length > 0 &&
    error.details.every((detail) => fields.includes(detail.field))
  );
}
