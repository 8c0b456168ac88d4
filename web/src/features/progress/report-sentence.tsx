import type { Schemas } from '../../lib/api.ts';
import { useFormats } from '../../lib/format.ts';
import { useTexts } from '../../lib/texts.ts';
import styles from './report.module.css';
import { reportMessages } from './report-messages.ts';

const late = ['behind', 'slowing', 'overdue'];

/** What the figures mean: how the period compares with the one before, and how many goals are late today. */
export function ReportSentence({ report }: { report: Schemas['StudentReport'] }) {
  const t = useTexts(reportMessages);
  const formats = useFormats('UTC');
  const { total_hours: total, previous_hours: previous, is_running, projects } = report;
  const goals = projects.filter(({ state }) => state !== null && state !== 'paused');
  const count = goals.length;
  const lateCount = goals.filter(({ state }) => state !== null && late.includes(state)).length;
  const than = t(is_running ? 'than_so_far' : 'than');
  const change = formats.hours(Math.abs(total - previous));
  const studied =
    total === 0
      ? t('nothing')
      : change === formats.hours(0)
        ? t('same', { than })
        : t(total > previous ? 'more_hours' : 'less_hours', { change, than });
  const onGoals =
    count === 0 ? '' : lateCount === 0 ? t('goals_fine', { count }) : t('goals_late', { lateCount, count });
  return (
    <p className={styles.sentence}>
      {studied} {onGoals}
    </p>
  );
}
