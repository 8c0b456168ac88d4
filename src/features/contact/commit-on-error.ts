/** A refusal that lets the transaction commit: the captcha stays used up, and the attempt stays counted. */
export function commitOnError<E extends Error>(error: E): E {
  return Object.assign(error, { commitsOnError: true });
}
