import type { Schemas } from '../../lib/api.ts';
import { useFormats } from '../../lib/format.ts';
import { useMarks } from '../../lib/marks.ts';
import { useTexts } from '../../lib/texts.ts';
import styles from './report.module.css';
import { reportMessages } from './report-messages.ts';

const fine = ['done', 'ahead', 'on_track'];
const late = ['behind', 'overdue'];

/** What the figures mean: how the period compares with the one before, and how many goals are late today. */
export function ReportSentence({ report }: { report: Schemas['StudentReport'] }) {
  const t = useTexts(reportMessages);
  const marks = useMarks();
  const formats = useFormats('UTC');
  const { total_hours: total, previous_hours: previous, is_running, projects, more_projects } = report;
  const states = projects.flatMap(({ state }) => (state === null || state === 'paused' ? [] : [state]));
  const count = states.length;
  const lateCount = states.filter((state) => late.includes(state)).length;
  const isFine = count > 0 && states.every((state) => fine.includes(state));
  const than = t(is_running ? 'than_so_far' : 'than');
  const change = formats.hours(Math.abs(total - previous));
  const studied =
    total === 0
      ? t('nothing')
      : change === formats.hours(0)
        ? t('same', { than })
        : t(total > previous ? 'more_hours' : 'less_hours', { change, than });
  const onGoals = lateCount > 0 ? t('goals_late', { lateCount, count }) : isFine ? t('goals_fine', { count }) : '';
  return (
    <p className={styles.sentence}>
      {marks.sentences([studied, more_projects === 0 ? onGoals : '' /* of all goals, or nothing */])}
    </p>
  );
}
