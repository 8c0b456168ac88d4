import { type ReactNode, useState } from 'react';
import { useDraft } from '../../lib/draft.ts';
import { useFormats } from '../../lib/format.ts';
import { useMarks } from '../../lib/marks.ts';
import { useMergingSave, type Version } from '../../lib/merge.ts';
import { commonMessages } from '../../lib/messages.ts';
import { session, useAccount } from '../../lib/session.ts';
import { useSettings } from '../../lib/settings.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { weekdayNames } from '../../lib/weekdays.ts';
import { Button } from '../../ui/button.tsx';
import { ConflictDialog } from '../../ui/conflict-dialog.tsx';
import { DraftNotice } from '../../ui/draft-notice.tsx';
import { Form } from '../../ui/form.tsx';
import { Problem } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.tsx';
import styles from './account.module.css';
import { goalOf, minutesOf } from './goal-field.tsx';
import { accountMessages } from './messages.ts';
import { type Profile, profileOf, refreshProfile, writeProfile } from './profile-queries.ts';

const fields = ['display_name', 'email', 'current_password', 'timezone', 'daily_goal_minutes', 'weekly_goal_minutes'];
const names = {
  display_name: 'display_name',
  email: 'email',
  timezone: 'timezone',
  week_start: 'week_start',
  day_start_hour: 'day_start',
  rest_weekdays: 'rest',
  daily_goal_minutes: 'goal',
  weekly_goal_minutes: 'weekly_goal',
} as const;

/** The typed values, and those first read (`opened`): a save must not overwrite changes that were never shown. */
function formOf(account: Profile) {
  const opened = profileOf(account);
  const { daily_goal_minutes: daily, weekly_goal_minutes: weekly, ...rest } = opened;
  return { ...rest, opened, daily: goalOf(daily), weekly: goalOf(weekly) };
}

/** The profile as one form whose fields are on two pages; what is typed on one is kept on the other. */
export function useProfileForm() {
  const t = useTexts(accountMessages);
  const common = useTexts(commonMessages);
  const marks = useMarks();
  const { locale } = useSettings();
  const account = useAccount();
  const weekday = weekdayNames(locale);
  const { duration } = useFormats('UTC');
  const draft = useDraft('profile', () => formOf(account));
  const { value: form, set } = draft;
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
    const { daily, weekly, opened, ...given } = form;
    const fields = chosen ?? {
      ...given,
      daily_goal_minutes: minutesOf(daily),
      weekly_goal_minutes: minutesOf(weekly),
    };
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
    if (field === 'daily_goal_minutes' || field === 'weekly_goal_minutes')
      return values[field] === null ? '' : duration(values[field] * 60);
    return values[field];
  }
  return { form, set, draft, password, setPassword, error, weekday, run: () => run(), frame };

  /** The notices above the fields of a part, and below them the button, beside which it is said that all is saved. */
  function frame(children: ReactNode) {
    return (
      <>
        <Form className="stack" onSave={() => run()}>
          <DraftNotice draft={draft} />
          <Problem error={error} besides={fields} />
          {children}
          <div className={styles.save}>
            <Button type="submit" look="primary" isPending={isRunning}>
              {common('save')}
            </Button>
            <span role="status">
              {isDone && (pending === undefined ? common('saved') : t('email_pending', { email: pending }))}
            </span>
          </div>
        </Form>
        <ConflictDialog merging={merging} label={label} show={show} onChoose={run} />
      </>
    );
  }
}
