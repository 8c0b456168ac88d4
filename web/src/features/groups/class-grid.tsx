import { useState } from 'react';
import { Link } from 'wouter';
import { collatorOf } from '../../lib/collator.ts';
import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { type SpecialDay, specialOn, useDayName, useSchoolYear } from '../../lib/school-year.ts';
import { useSettings } from '../../lib/settings.ts';
import { sumHours } from '../../lib/sum-hours.ts';
import { useTexts } from '../../lib/texts.ts';
import { useMedia } from '../../lib/use-media.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { ViewSwitch } from '../../ui/view-switch.tsx';
import styles from './class.module.css';
import { classMessages } from './class-messages.ts';
import type { MemberDays } from './class-queries.ts';

const shownAtFirst = 12;
const dayMilliseconds = 86_400_000;

type Props = { groupId: number; members: readonly MemberDays[]; from: string };

/** The hours of each student on each of the last 28 days, 14 on a phone; a row opens the student. */
export function ClassGrid({ groupId, members: all, from: first }: Props) {
  const t = useTexts(classMessages);
  const dates = useFormats('UTC'); // dates have no time
  const { locale } = useSettings();
  const [order, setOrder] = useState<'hours' | 'name'>('hours');
  const [isAll, setAll] = useState(false);
  const [pointed, setPointed] = useState<string>();
  const { compare } = collatorOf(locale);
  const isPhone = useMedia('screen and (width <= 46rem)');
  const [days, members] = isPhone ? [14, all.map(latestTwoWeeks)] : [28, all];
  const dateOf = (day: number) =>
    new Date(Date.parse(first) + (28 - days + day) * dayMilliseconds).toISOString().slice(0, 10);
  const { days: special } = useSchoolYear({ group_id: groupId });
  const nameOf = useDayName();
  const specialOf = ({ excused }: MemberDays, day: number) =>
    excusedOn(excused, dateOf(day)) ?? specialOn(special, dateOf(day));
  const isOff = (member: MemberDays, day: number) => (specialOf(member, day)?.kind ?? 'school_day') !== 'school_day';
  const shownOff = special.filter(
    ({ kind, from, to }) => kind !== 'school_day' && from <= dateOf(days - 1) && to >= dateOf(0),
  );
  const sorted = members.toSorted((a, b) =>
    order === 'hours'
      ? b.total_hours - a.total_hours || compare(a.display_name, b.display_name)
      : compare(a.display_name, b.display_name),
  );
  const shown = isAll ? sorted : sorted.slice(0, shownAtFirst);
  const quarters = quartersOf(members);
  const levelOf = (hours: number) => (hours <= 0 ? 0 : 1 + quarters.filter((begin) => hours >= begin).length);
  const most = quarters.at(-1) ?? 0;
  return (
    <Card
      title={t('grid')}
      context={pointed ?? t('grid_about', { days, shown: shown.length, count: members.length })}
      className="whole"
      actions={
        <div className={styles.tools}>
          {Number.isFinite(most) && (
            <span className={styles.scale} aria-hidden="true">
              0
              {[0, 1, 2, 3, 4].map((level) => (
                <span key={level} data-level={level} />
              ))}
              {t('or_more', { hours: dates.hours(most) })}
            </span>
          )}
          <ViewSwitch
            label={t('order')}
            options={[
              ['hours', t('by_hours')],
              ['name', t('by_name')],
            ]}
            value={order}
            onChange={setOrder}
          />
        </div>
      }
    >
      <div className={cx(styles.dates, isPhone && styles.fewDays)} aria-hidden="true">
        {Array.from({ length: days }, (_, day) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the position is the day
          <span key={day}>
            {new Date(dateOf(day)).getUTCDay() === 1 && day < days - 2 ? dates.shortDate(dateOf(day)) : ''}
          </span>
        ))}
      </div>
      <ul className={cx(isPhone && styles.fewDays)} onPointerLeave={() => setPointed(undefined)}>
        {shown.map((member) => {
          const { user_id, display_name: name, daily, total_hours, study_days } = member;
          return (
            <li key={user_id}>
              <Link
                href={href('student', { id: user_id })}
                className={styles.row}
                onPointerMove={({ target }) => {
                  const day = target instanceof HTMLElement ? target.dataset['day'] : undefined;
                  const date = day === undefined ? undefined : dateOf(Number(day));
                  if (date === undefined) setPointed(undefined);
                  else
                    setPointed(
                      [
                        t('day_is', { name, date: dates.day(date), hours: dates.hours(daily[Number(day)] ?? 0) }),
                        ...[specialOf(member, Number(day))].flatMap((found) =>
                          found === undefined ? [] : nameOf(found),
                        ),
                      ].join(' · '),
                    );
                }}
              >
                <span className={styles.name}>{name}</span>
                <span className="visually-hidden">
                  {t('row_is', { days, hours: dates.hours(total_hours), count: study_days })}
                </span>
                {daily.map((hours, day) => (
                  <span
                    // biome-ignore lint/suspicious/noArrayIndexKey: the position is the day
                    key={day}
                    aria-hidden="true"
                    data-day={day}
                    data-level={levelOf(hours)}
                    data-off={isOff(member, day) ? '' : undefined}
                  />
                ))}
                <span className={styles.sum} aria-hidden="true">
                  {dates.shortHours(total_hours)}
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
      {shownOff.length > 0 && (
        <p className={styles.off}>
          <span data-level={0} data-off="" aria-hidden="true" />
          {shownOff
            .map((found) => t('off_is', { dates: dates.dayRange(found.from, found.to), what: nameOf(found) }))
            .join(' · ')}
        </p>
      )}
      {shown.length < members.length && (
        <p className={styles.more}>
          <Button look="quiet" onPress={() => setAll(true)}>
            {t('show_all', { count: members.length })}
          </Button>
        </p>
      )}
    </Card>
  );
}

/** Reasons are on the page of the student. */
function excusedOn(ranges: MemberDays['excused'], date: string): SpecialDay | undefined {
  const found = ranges.find(({ from, to }) => from <= date && date <= to);
  return found && { ...found, kind: 'excused', name: '' };
}

function latestTwoWeeks(member: MemberDays): MemberDays {
  const daily = member.daily.slice(-14);
  return {
    ...member,
    daily,
    total_hours: sumHours(daily),
    study_days: daily.filter((hours) => hours > 0).length,
  };
}

/** The hours at which the steps begin: quarters of all days with study. */
function quartersOf(members: readonly MemberDays[]): number[] {
  const hours = members
    .flatMap(({ daily }) => daily)
    .filter((each) => each > 0)
    .sort((a, b) => a - b);
  return [1, 2, 3].map((quarter) => hours[Math.floor((hours.length * quarter) / 4)] ?? Number.POSITIVE_INFINITY);
}
