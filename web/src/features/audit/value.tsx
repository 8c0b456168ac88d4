import { Fragment } from 'react';
import { useFormats } from '../../lib/format.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useTexts } from '../../lib/texts.ts';
import { isEmpty } from './differences.ts';
import { valueMessages } from './field-messages.ts';
import { auditMessages } from './messages.ts';
import type { Names } from './names.ts';
import { Target } from './target.tsx';

const maxIds = 10;
const enums: readonly string[] = [
  'role',
  'status',
  'category',
  'rating_standard',
  'subject',
  'state',
  'admin_scope',
  'kind',
];
const dates: readonly string[] = ['due_date', 'first_day', 'last_day'];
const timestamps: readonly string[] = ['deleted_at', 'started_at', 'ended_at', 'previous_expires_at', 'from', 'to'];
const hours: readonly string[] = ['target_hours', 'weekly_goal_hours'];
const targets = {
  user_id: 'user',
  user_ids: 'user',
  project_id: 'project',
  group_id: 'group',
  admin_group_ids: 'group',
} as const;

/** A logged value as text. */
export function Value({ field, value, names }: { field: string; value: unknown; names: Names }) {
  const t = useTexts(auditMessages);
  const valueName = useTexts(valueMessages);
  const formats = useOwnFormats();
  const days = useFormats('UTC'); // these are days, not moments
  if (isEmpty(value)) return t('nothing');
  if (field in targets) {
    const type = targets[field as keyof typeof targets];
    const ids = [value].flat().map(Number);
    const rest = ids.length - maxIds;
    return (
      <>
        {ids.slice(0, maxIds).map((id, index) => (
          <Fragment key={id}>
            {index > 0 && ' · '}
            <Target type={type} id={id} names={names} />
          </Fragment>
        ))}
        {rest > 0 && ` ${t('and_more', { count: rest })}`}
      </>
    );
  }
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  if (enums.includes(field)) return valueName(value as keyof typeof valueMessages);
  if (timestamps.includes(field)) return formats.dateTime(String(value));
  if (dates.includes(field)) return days.date(String(value));
  if (hours.includes(field)) return formats.hours(Number(value));
  if (typeof value === 'number') return formats.number(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
