import type { Attack } from './attack.ts';
import { reading } from './reading.ts';
import { strangers } from './strangers.ts';
import { writing } from './writing.ts';

export const attacks: readonly Attack[] = [...writing, ...reading, ...strangers];
