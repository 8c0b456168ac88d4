import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { cx } from '../../lib/cx.ts';
import type { Formats } from '../../lib/format.ts';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { TagList } from '../tags/tag-list.tsx';
import { recordMessages } from './messages.ts';
import { hasRecordDraft, RecordForm } from './record-form.tsx';
import styles from './records.module.css';
import type { StudyRecord } from './session-queries.ts';

type Props = {
  record: StudyRecord;
  formats: Formats;
  /** The colour of the project; absent where all records are of one. */
  hue?: number;
  onRemove: (record: StudyRecord) => void;
};

/** One record, editable in place. */
export function Entry({ record, formats, hue, onRemove }: Props) {
  const t = useTexts(recordMessages);
  const [isEditing, setEditing] = useState(() => hasRecordDraft({ record }));
  const from = formats.time(record.started_at);
  if (isEditing)
    return (
      <li>
        <RecordForm record={record} onDone={() => setEditing(false)} />
      </li>
    );
  const time = `${formats.day(record.started_at)}, ${from}`;
  const source = record.auto_stopped ? 'auto' : record.source;
  return (
    <li className={styles.entry}>
      <span className="muted">
        {from}–{record.ended_at === null ? t('running') : formats.time(record.ended_at)}
      </span>
      <span className={styles.length}>{record.ended_at !== null && formats.duration(record.duration_seconds)}</span>
      <span className={styles.what}>
        {hue !== undefined && (
          <strong data-hue={hue} className={styles.project}>
            {record.project_name}
          </strong>
        )}
        {record.note !== '' && <span>{record.note}</span>}
        <TagList tags={record.tags} />
        {source !== 'manual' && <small className={record.auto_stopped ? styles.check : ''}>{t(source)}</small>}
      </span>
      {record.ended_at !== null && (
        <span className={cx(styles.tools, 'no-print')}>
          <Button
            look="quiet"
            aria-label={t('edit', { time })}
            icon={<Pencil size={16} />}
            onPress={() => setEditing(true)}
          />
          <Button
            look="quiet"
            aria-label={t('remove', { time })}
            icon={<Trash2 size={16} />}
            onPress={() => onRemove(record)}
          />
        </span>
      )}
    </li>
  );
}
