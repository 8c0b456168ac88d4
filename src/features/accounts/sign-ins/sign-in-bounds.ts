/** Of an account: with a further one, the oldest ends. */
export const maxOpen = 200;
/** Of a sign-in, to notice that a stolen one is used again. */
export const maxUsedTokens = 100;
