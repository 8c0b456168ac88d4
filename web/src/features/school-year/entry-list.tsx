import { CalendarCheck2, CalendarOff, Pencil } from 'lucide-react';
import { Fragment } from 'react';
import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { useIsLimited } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import chip from '../../ui/chip.module.css';
import table from '../../ui/data-table.module.css';
import { useGroups } from '../assignments/board-queries.ts';
import { EntryForm } from './entry-form.tsx';
import { schoolYearMessages } from './messages.ts';
import styles from './school-year.module.css';
import type { Draft, Entry, SavedDays } from './school-year-queries.ts';

type Props = {
  entries: readonly Entry[];
  /** The id of the one that is edited. */
  editing: number | undefined;
  onEdit: (id: number | undefined) => void;
  onDraft: (draft: Draft | undefined) => void;
  onSaved: (saved: SavedDays) => void;
};

/** Days off and make-up days, in the order of their dates; one can be edited in its place. */
export function EntryList({ entries, editing, onEdit, onDraft, onSaved }: Props) {
  const t = useTexts(schoolYearMessages);
  const isLimited = useIsLimited();
  const { data: groups = [] } = useGroups();
  const classOf = (id: number) => groups.find((group) => group.id === id)?.name ?? t('a_class');
  return (
    <table className={cx(table.table, styles.list)}>
      <thead>
        <tr>
          <th>{t('dates')}</th>
          <th>{t('name')}</th>
          <th>{t('for')}</th>
          <th>{t('kind')}</th>
          <th className={table.end}>{t('days')}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <Fragment key={entry.id}>
            {entry.id === editing ? (
              <tr className={styles.edited}>
                <td colSpan={6}>
                  <EntryForm entry={entry} onClose={() => onEdit(undefined)} onDraft={onDraft} onSaved={onSaved} />
                </td>
              </tr>
            ) : (
              <Row
                entry={entry}
                whose={entry.group_id === null ? t('whole_school') : classOf(entry.group_id)}
                onEdit={isLimited && entry.group_id === null ? undefined : () => onEdit(entry.id)}
              />
            )}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

type RowProps = { entry: Entry; whose: string; onEdit: (() => void) | undefined };

function Row({ entry: { name, from, to, kind, group_id, school_days }, whose, onEdit }: RowProps) {
  const t = useTexts(schoolYearMessages);
  const formats = useFormats('UTC'); // days have no time
  const dates = formats.dayRange(from, to);
  const [first, last] = [from, to].map(formats.weekdayShort);
  const Icon = kind === 'off' ? CalendarOff : CalendarCheck2;
  return (
    <tr>
      <td>
        {dates}{' '}
        <span className={cx(table.muted, styles.span)}>
          {from === to ? first : t('span', { from: first ?? '', to: last ?? '' })}
        </span>
      </td>
      <td className={styles.name}>{name}</td>
      <td className={cx(group_id === null && table.muted)}>{whose}</td>
      <td>
        <span className={cx(chip.chip, kind === 'off' ? chip.plain : styles.lessons)}>
          <Icon size={14} strokeWidth={2.1} />
          {t(`kind_${kind}`)}
        </span>
      </td>
      <td className={table.end}>{school_days === 0 ? 0 : `${kind === 'off' ? '−' : '+'}${school_days}`}</td>
      <td className={table.end}>
        {onEdit !== undefined && (
          <Button look="quiet" aria-label={t('edit', { name, dates })} icon={<Pencil size={16} />} onPress={onEdit} />
        )}
      </td>
    </tr>
  );
}
