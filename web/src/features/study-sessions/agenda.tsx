import { useFormats } from '../../lib/format.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { Card } from '../../ui/page.tsx';
import { recordMessages } from './messages.ts';
import type { StudyRecord } from './session-queries.ts';
import type { Span } from './use-dragging.ts';
import styles from './week-agenda.module.css';

type Props = {
  records: readonly StudyRecord[];
  spanOf: (record: StudyRecord) => Span;
  colorOf: (projectId: number) => number;
  selected: number | undefined;
  onEdit: (record: StudyRecord) => void;
};

/** The records of a day as a list beside the grid, with their notes in full. */
export function Agenda({ records, spanOf, colorOf, selected, onEdit }: Props) {
  const t = useTexts(recordMessages);
  const { timezone, daily_goal_minutes: goal } = useAccount();
  const formats = useFormats(timezone);
  const sorted = records.toSorted((a, b) => spanOf(a).from - spanOf(b).from);
  const seconds = sorted.reduce((sum, record) => sum + (spanOf(record).to - spanOf(record).from) / 1000, 0);
  const time = (moment: number) => formats.time(new Date(moment).toISOString());
  return (
    <Card
      title={
        sorted.length === 0
          ? t('none_on_day')
          : t('total', { count: sorted.length, duration: formats.duration(seconds) })
      }
      actions={goal !== null && <p className="note">{t('goal', { duration: formats.duration(goal * 60) })}</p>}
      className={styles.agenda}
      isFlush
    >
      <ul>
        {sorted.map((record) => {
          const { from, to } = spanOf(record);
          const isRunning = record.ended_at === null;
          return (
            <li key={record.id}>
              <button
                type="button"
                data-hue={colorOf(record.project_id)}
                aria-pressed={record.id === selected}
                disabled={isRunning}
                onClick={() => onEdit(record)}
              >
                <i />
                <time>{`${time(from)}–${isRunning ? t('running') : time(to)}`}</time>
                <span>
                  {record.project_name}
                  {record.note !== '' && <small>{record.note}</small>}
                </span>
                <strong>{formats.duration((to - from) / 1000)}</strong>
              </button>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
