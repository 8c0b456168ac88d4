import type { Attack } from './attack.ts';
import { authentication } from './authentication.ts';
import { reading } from './reading.ts';
import { writing } from './writing.ts';

export const attacks: readonly Attack[] = [...writing, ...reading, ...authentication];
