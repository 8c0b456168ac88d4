import { Check } from 'lucide-react';
import { useFormats } from '../../lib/format.ts';
import { fieldProblem } from '../../lib/problem.ts';
import { useAccount } from '../../lib/session.ts';
import { useSettings } from '../../lib/settings.ts';
import { useTexts } from '../../lib/texts.ts';
import { weekdayNames } from '../../lib/weekdays.ts';
import { Select } from '../../ui/field.tsx';
import { FilterChip } from '../../ui/filter-chip.tsx';
import { Card } from '../../ui/page.tsx';
import styles from './account.module.css';
import { GoalField, isGoal, minutesOf } from './goal-field.tsx';
import { accountMessages } from './messages.ts';
import { useProfileForm } from './use-profile-form.tsx';

const weekdays = [1, 2, 3, 4, 5, 6, 7];
const dayStarts = [0, 1, 2, 3, 4, 5, 6];
/** The hours that a daily goal may have. */
const mostOfDay = 24;

/** The goals of study, and when weeks and days begin. Teachers do not study: they have only the latter. */
export function StudyCard() {
  const t = useTexts(accountMessages);
  const { role } = useAccount();
  const short = weekdayNames(useSettings().locale, 'short');
  const { form, set, error, weekday, frame } = useProfileForm();
  const { duration } = useFormats('UTC');
  const daily = minutesOf(form.daily);
  const count = 7 - form.rest_weekdays.length;
  return (
    <Card
      title={t(role === 'admin' ? 'week' : 'goals_and_week')}
      {...(daily !== null &&
        isGoal(daily, mostOfDay) && {
          context: t('make', { count, day: duration(daily * 60), week: duration(daily * count * 60) }),
        })}
    >
      {frame(
        <div className={styles.rows}>
          {role === 'user' && (
            <>
              <GoalField
                label={t('goal')}
                hint={t('goal_hint')}
                value={form.daily}
                onChange={(goal) => set({ daily: goal })}
                most={mostOfDay}
                error={fieldProblem(error, 'daily_goal_minutes')}
              />
              <GoalField
                label={t('weekly_goal')}
                hint={t('weekly_goal_hint')}
                value={form.weekly}
                onChange={(goal) => set({ weekly: goal })}
                most={168}
                error={fieldProblem(error, 'weekly_goal_minutes')}
              />
            </>
          )}
          <Select
            label={t('week_start')}
            value={String(form.week_start)}
            onChange={(day) => set({ week_start: Number(day) })}
            options={weekdays.map((day) => [String(day), weekday(day)])}
          />
          <Select
            label={t('day_start')}
            hint={t('day_start_hint')}
            value={String(form.day_start_hour)}
            onChange={(hour) => set({ day_start_hour: Number(hour) })}
            options={dayStarts.map((hour) => [String(hour), `0${hour}:00`])}
          />
          {role === 'user' && (
            <fieldset className={styles.rest}>
              <legend>
                {t('rest')}
                <small className="note">{t('rest_hint')}</small>
              </legend>
              {weekdays.map((day) => (
                <FilterChip
                  key={day}
                  Icon={form.rest_weekdays.includes(day) ? Check : undefined}
                  text={short(day)}
                  isOn={form.rest_weekdays.includes(day)}
                  onChange={(isRest) =>
                    set({
                      rest_weekdays: weekdays.filter((other) =>
                        other === day ? isRest : form.rest_weekdays.includes(other),
                      ),
                    })
                  }
                />
              ))}
            </fieldset>
          )}
        </div>,
      )}
    </Card>
  );
}
