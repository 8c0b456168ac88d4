/** Class names in one attribute; what is absent or false is left out. */
export const cx = (...names: readonly (string | false | undefined)[]): string => names.filter(Boolean).join(' ');
