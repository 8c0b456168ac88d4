import { useFormats } from '../../lib/format.ts';
import { parseNumber } from '../../lib/numbers.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { fieldProblem } from '../../lib/problem.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { DayField } from '../../ui/day-field.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { projectMessages } from './messages.ts';
import type { Project } from './project-queries.ts';
import styles from './projects.module.css';

/** As typed. */
type Goals = { target: string; weekly: string; due: string; target_scope: Project['target_scope'] };
type Props = { form: Goals; set: (changed: Partial<Goals>) => void; error: unknown; isNew: boolean };

const dayMilliseconds = 86_400_000;

/** The target, the goal of each week and the due date; administrators say who is to reach the target. */
export function GoalFields({ form, set, error, isNew }: Props) {
  const t = useTexts(projectMessages);
  const { role } = useAccount();
  const number = (name: 'target' | 'weekly', field: string) => ({
    label: t(name),
    hint: t(`${name}_hint`),
    inputMode: 'decimal' as const,
    value: form[name],
    onChange: (value: string) => set({ [name]: value }),
    maxLength: 9,
    invalid: form[name].trim() === '' || parseNumber(form[name]) !== undefined ? undefined : t('bad_number'),
    error: fieldProblem(error, field),
  });
  return (
    <>
      <div className={styles.pair}>
        <Field {...number('target', 'target_hours')} />
        <Field {...number('weekly', 'weekly_goal_hours')} />
      </div>
      <div className={styles.pair}>
        <DayField
          label={t('due')}
          value={form.due}
          onChange={(due) => set({ due })}
          error={fieldProblem(error, 'due_date')}
          isOptional
        />
        {role === 'admin' && (
          <Select
            label={t('scope')}
            value={form.target_scope}
            onChange={(target_scope) => set({ target_scope })}
            options={[
              ['each', t('each')],
              ['shared', t('shared')],
            ]}
          />
        )}
      </div>
      {isNew && <ADay form={form} />}
    </>
  );
}

/** What the target and the due date ask of each day; nothing is recorded yet. */
function ADay({ form: { target, due } }: { form: Goals }) {
  const t = useTexts(projectMessages);
  const dates = useFormats('UTC'); // a due date has no time
  const today = useOwnFormats().isoDay(Date.now());
  const hours = parseNumber(target) ?? 0;
  const days = Math.round((Date.parse(due) - Date.parse(today)) / dayMilliseconds);
  if (hours <= 0 || !(days > 0)) return null;
  const values = { hours: dates.hours(hours), date: dates.shortDate(due), time: dates.hours(hours / days) };
  return (
    <p className="note" role="status">
      {t('a_day', values)}
    </p>
  );
}
