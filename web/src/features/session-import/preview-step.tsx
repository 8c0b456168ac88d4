import { useFormats } from '../../lib/format.ts';
import { useMarks } from '../../lib/marks.ts';
import { useAccount } from '../../lib/session.ts';
import { useSettings } from '../../lib/settings.ts';
import { useTexts } from '../../lib/texts.ts';
import { zoneName } from '../../lib/zone.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Select } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import styles from './import.module.css';
import type { Report } from './import-queries.ts';
import { importMessages } from './messages.ts';
import { LeftOutRows, RecordsToImport } from './preview-tables.tsx';
import { Readings } from './readings.tsx';
import type { Import } from './use-import.ts';

const overlaps = ['skip', 'trim', 'stack'] as const;

/** What an import would do, in words; its questions are those that this file raises. */
export function PreviewStep({ wizard, report }: { wizard: Import; report: Report }) {
  const { options, change } = wizard;
  const t = useTexts(importMessages);
  const marks = useMarks();
  const { locale } = useSettings();
  const { timezone } = useAccount();
  const formats = useFormats(timezone);
  const { valid, projects, notices, overlaps: overlapping, trimmed, moved } = report;
  const starts = projects.map(({ started_at }) => started_at).sort();
  const ends = projects.map(({ ended_at }) => ended_at).sort();
  const created = projects.filter(({ project_id }) => project_id === null).map(({ project_name }) => project_name);
  const has = (field: string) => notices.some((notice) => notice.field === field);
  const counted = [
    'duplicates',
    'invalid',
    'left_out',
    'trimmed',
    'moved',
    'shortened',
    'skipped',
    'other_durations',
  ] as const;
  return (
    <Card title={t('step_preview')} context={t('times_in', { zone: zoneName(timezone, locale) })}>
      <div className={styles.preview}>
        {valid === 0 ? (
          <p className={styles.sentence}>{t('nothing')}</p>
        ) : (
          <p className={styles.sentence}>
            {t('summary', {
              count: valid,
              hours: formats.hours(report.hours),
              dates: formats.dates(starts[0] ?? '', ends.at(-1) ?? ''),
            })}
          </p>
        )}
        <ul className={styles.facts}>
          {created.length > 0 && (
            <li>{t('creates', { count: report.created_projects, names: marks.list(created) })}</li>
          )}
          {counted.map((key) => report[key] > 0 && <li key={key}>{t(`rows_${key}`, { count: report[key] })}</li>)}
        </ul>
        {(overlapping + trimmed + moved > 0 || options.on_overlap !== 'skip') && (
          <Select
            label={t('overlaps')}
            value={options.on_overlap}
            onChange={(on_overlap) => void change({ on_overlap })}
            options={overlaps.map((id) => [id, t(id)])}
          />
        )}
        <Readings wizard={wizard} report={report} />
        {(has('email') || options.people === 'all') && (
          <Checkbox
            isSelected={options.people === 'all'}
            onChange={(isOn) => void change({ people: isOn ? 'all' : 'own' })}
          >
            {t('people')}
          </Checkbox>
        )}
        {(has('user_id') || options.from_other_account) && (
          <Checkbox
            isSelected={options.from_other_account}
            onChange={(from_other_account) => void change({ from_other_account })}
          >
            {t('other_account')}
          </Checkbox>
        )}
        <RecordsToImport report={report} />
        <LeftOutRows notices={notices} />
      </div>
    </Card>
  );
}
