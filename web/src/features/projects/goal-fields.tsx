import { parseNumber } from '../../lib/numbers.ts';
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
type Props = { form: Goals; set: (changed: Partial<Goals>) => void; error: unknown };

/** The target, the goal of each week and the due date; administrators say who is to reach the target. */
export function GoalFields({ form, set, error }: Props) {
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
    </>
  );
}
