import { type Formats, useFormats } from './format.ts';
import { useAccount } from './session.ts';

/** Formats in the time zone of the user. */
export const useOwnFormats = (): Formats => useFormats(useAccount().timezone);
