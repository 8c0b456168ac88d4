import { Fragment } from 'react';
import { useFormats } from '../../lib/format.ts';
import { useMarks } from '../../lib/marks.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useTexts } from '../../lib/texts.ts';
import { colorMessages } from '../projects/messages.ts';
import { isEmpty } from './differences.ts';
import { auditMessages } from './messages.ts';
import type { Names } from './names.ts';
import { Target } from './target.tsx';
import { valueMessages } from './value-messages.ts';

const maxIds = 10;
const words = (text: string) => text.split(' ');
/** How the values of a field are written; others are texts, numbers or yes and no. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  name: words('role status category rating_standard target_scope subject state admin_scope kind link events scopes'),
  day: words('due_date first_day last_day off_from off_to report_from report_to'),
  moment: words('deleted_at started_at ended_at previous_expires_at expires_at from to'),
  hours: words('target_hours weekly_goal_hours'),
  colour: ['color'],
};
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
  const colour = useTexts(colorMessages);
  const marks = useMarks();
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
  const kind = Object.keys(kinds).find((one) => kinds[one]?.includes(field));
  if (kind === 'name') return marks.list([value].flat().map((one) => valueName(one as keyof typeof valueMessages)));
  if (kind === 'moment') return formats.dateTime(String(value));
  if (kind === 'day') return days.date(String(value));
  if (kind === 'hours') return formats.hours(Number(value));
  if (kind === 'colour') return colour(`color_${value}` as keyof typeof colorMessages);
  if (typeof value === 'number') return formats.number(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
