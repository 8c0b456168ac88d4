import { useState } from 'react';
import { useDraft } from '../../lib/draft.ts';
import { useMarks } from '../../lib/marks.ts';
import { useMergingSave, type Version } from '../../lib/merge.ts';
import { commonMessages } from '../../lib/messages.ts';
import { parseNumber } from '../../lib/numbers.ts';
import { areFieldErrors, fieldProblem, useProblem } from '../../lib/problem.ts';
import { session, useAccount } from '../../lib/session.ts';
import { useSettings } from '../../lib/settings.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { weekdayNames } from '../../lib/weekdays.ts';
import { deviceZone, zoneName } from '../../lib/zone.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { ConflictDialog } from '../../ui/conflict-dialog.tsx';
import { DraftNotice } from '../../ui/draft-notice.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import { PasswordField } from '../auth/password-field.tsx';
import styles from './account.module.css';
import { accountMessages } from './messages.ts';
import { type Profile, profileOf, refreshProfile, writeProfile } from './profile-queries.ts';
import { zoneOptions } from './zone-options.ts';

const fields = ['display_name', 'email', 'current_password', 'timezone', 'daily_goal_minutes'];
const weekdays = [1, 2, 3, 4, 5, 6, 7];
const dayStarts = [0, 1, 2, 3, 4, 5, 6];
const names = {
  display_name: 'display_name',
  email: 'email',
  timezone: 'timezone',
  week_start: 'week_start',
  day_start_hour: 'day_start',
  rest_weekdays: 'rest',
  daily_goal_minutes: 'goal',
} as const;

/** The typed values, and those first read (`opened`): a save must not overwrite changes that were never shown. */
function formOf(account: Profile) {
  const opened = profileOf(account);
  const { daily_goal_minutes: minutes, ...rest } = opened;
  return { ...rest, opened, goal: minutes === null ? '' : String(minutes) };
}

export function ProfileCard() {
  const t = useTexts(accountMessages);
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const marks = useMarks();
  const { locale } = useSettings();
  const account = useAccount();
  const weekday = weekdayNames(locale);
  const draft = useDraft('profile', () => formOf(account));
  const { value: form, set } = draft;
  const isNumber = form.goal.trim() === '' || Number.isInteger(parseNumber(form.goal));
  const [password, setPassword] = useState('');
  const [pending, setPending] = useState<string>();
  const merging = useMergingSave<Profile>({
    read: refreshProfile,
    write: async (fields, on) => {
      const written = await writeProfile(fields, on, password);
      if (written) setPending(written.pending_email);
      return written;
    },
  });
  const { run, isRunning, isDone, error } = useAction(async (on?: Version<Profile>, chosen?: Profile) => {
    const { goal, opened, ...given } = form;
    const fields = chosen ?? { ...given, daily_goal_minutes: parseNumber(goal) ?? null };
    const taken = await merging.save(fields, on ?? { fields: opened, etag: '' });
    if (taken === undefined) return;
    if (taken.length > 0) toast({ text: common('merged', { fields: marks.list(taken.map(label)) }) });
    draft.reset(formOf(session.get().account ?? account));
    setPassword('');
  });

  const label = (field: keyof Profile) => t(names[field]);
  function show(field: keyof Profile, values: Profile): string {
    if (field === 'week_start') return weekday(values.week_start);
    if (field === 'day_start_hour') return `${values.day_start_hour}:00`;
    if (field === 'rest_weekdays') return marks.list(values.rest_weekdays.map(weekday));
    return String(values[field] ?? '');
  }

  return (
    <Card title={t('profile')}>
      <Form className={styles.form} onSave={() => run()}>
        <DraftNotice draft={draft} />
        {error !== undefined && !areFieldErrors(error, fields) && <Notice kind="error">{problem(error)}</Notice>}
        {isDone && (
          <Notice kind="success">
            {pending === undefined ? common('saved') : t('email_pending', { email: pending })}
          </Notice>
        )}
        <Field label={t('username')} value={account.username} isReadOnly />
        <Field
          label={t('display_name')}
          value={form.display_name}
          onChange={(display_name) => set({ display_name })}
          maxLength={50}
          autoComplete="name"
          error={fieldProblem(error, 'display_name')}
        />
        <Field
          label={t('email')}
          hint={t('email_hint')}
          type="email"
          value={form.email}
          onChange={(email) => set({ email })}
          maxLength={254}
          autoComplete="email"
          error={fieldProblem(error, 'email')}
        />
        {form.email !== account.email && (
          <PasswordField
            label={t('email_current')}
            hint={t('email_password')}
            value={password}
            onChange={setPassword}
            error={fieldProblem(error, 'current_password')}
          />
        )}
        <div>
          <Select
            label={t('timezone')}
            value={form.timezone}
            onChange={(timezone) => set({ timezone })}
            options={zoneOptions(form.timezone, locale)}
          />
          <p className={styles.hint}>{t('timezone_hint', { zone: zoneName(deviceZone, locale) })}</p>
          {form.timezone !== deviceZone && (
            <Button onPress={() => set({ timezone: deviceZone })}>
              {t('use_device', { zone: zoneName(deviceZone, locale) })}
            </Button>
          )}
        </div>
        <div className={styles.pair}>
          <Select
            label={t('week_start')}
            value={String(form.week_start)}
            onChange={(day) => set({ week_start: Number(day) })}
            options={weekdays.map((day) => [String(day), weekday(day)])}
          />
          <Select
            label={t('day_start')}
            value={String(form.day_start_hour)}
            onChange={(hour) => set({ day_start_hour: Number(hour) })}
            options={dayStarts.map((hour) => [String(hour), `${hour}:00`])}
          />
        </div>
        <Field
          label={t('goal')}
          hint={t('goal_hint')}
          inputMode="numeric"
          value={form.goal}
          onChange={(goal) => set({ goal })}
          maxLength={4}
          invalid={isNumber ? undefined : t('bad_number')}
          error={fieldProblem(error, 'daily_goal_minutes')}
        />
        <fieldset className={styles.rest}>
          <legend>{t('rest')}</legend>
          {weekdays.map((day) => (
            <Checkbox
              key={day}
              isSelected={form.rest_weekdays.includes(day)}
              onChange={(isRest) =>
                set({
                  rest_weekdays: weekdays.filter((other) =>
                    other === day ? isRest : form.rest_weekdays.includes(other),
                  ),
                })
              }
            >
              {weekday(day)}
            </Checkbox>
          ))}
        </fieldset>
        <div>
          <Button type="submit" look="primary" isPending={isRunning}>
            {common('save')}
          </Button>
        </div>
      </Form>
      <ConflictDialog merging={merging} label={label} show={show} onChoose={run} />
    </Card>
  );
}
