import { ApiError } from './api.ts';
import { commonMessages } from './messages.ts';
import { isOutage } from './outage.ts';
import { type Translate, useTexts } from './texts.ts';

/** Describes an error to the user. `isCounted`: a countdown is shown elsewhere. */
export function useProblem() {
  const t: Translate<typeof commonMessages> = useTexts(commonMessages);
  return (error: unknown, isCounted = isOutage(error)): string => {
    if (!(error instanceof ApiError)) return t('network');
    const { message, status, retryAfter, requestId = '' } = error;
    const wait = retryAfter === undefined || isCounted ? '' : ` ${t('wait', { count: retryAfter })}`;
    const id = status < 500 || message.includes(requestId) ? '' : ` ${t('request', { id: requestId })}`;
    return `${message}${wait}${id}`;
  };
}

/** What the service says about a field, to be read after its name. */
export function saidOf(error: unknown, field: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const message = error.details.find((detail) => detail.field === field)?.message;
  return message?.startsWith(`${field} `) === true ? message.slice(field.length + 1) : message; // its label names it
}

/** The same as a sentence, to be read below the field, or anywhere with a subject. */
export function fieldProblem(
  error: unknown,
  field: string,
  withSubject = (said: string) => (said.startsWith('is ') ? `this ${said}` : said),
): string | undefined {
  const said = saidOf(error, field);
  if (said === undefined) return undefined;
  const end = /[.!?。！？]$/.test(said) ? '' : /\p{Script=Han}/u.test(said) ? '。' : '.';
  const whole = withSubject(said);
  return `${whole.charAt(0).toUpperCase()}${whole.slice(1)}${end}`;
}

/** Whether all errors are shown at these fields. */
export function areFieldErrors(error: unknown, fields: readonly string[]): boolean {
  return (
    error instanceof ApiError &&
    error.details.length > 0 &&
    error.details.every((detail) => fields.includes(detail.field))
  );
}
