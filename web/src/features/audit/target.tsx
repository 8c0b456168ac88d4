import { Link } from 'wouter';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import type { TargetType } from './audit-queries.ts';
import { auditMessages } from './messages.ts';
import type { Names } from './names.ts';

const pages = {
  user: 'user',
  group: 'group',
  project: 'project',
  assignment: 'project',
  contact_request: 'request',
  session: undefined,
  export: undefined,
  personal_token: undefined,
  webhook: undefined,
  term: undefined,
  school_day: undefined,
} as const satisfies Record<TargetType, string | undefined>;

const named = { user: 'user', group: 'group', project: 'project', assignment: 'project' } as const;

type Props = {
  type: TargetType;
  id: number;
  names: Names;
  isGone?: boolean;
  /** After a word that tells what it is. */
  isShort?: boolean;
};

/** The changed object, linked to its page if it has one. */
export function Target({ type, id, names, isGone = false, isShort = false }: Props) {
  const t = useTexts(auditMessages);
  const name = type in named ? names[named[type as keyof typeof named]].get(id) : undefined;
  const text = name ?? (isShort ? `${id}` : t(`of_${type}`, { id }));
  const page = pages[type];
  return isGone || page === undefined ? text : <Link href={href(page, { id })}>{text}</Link>;
}
