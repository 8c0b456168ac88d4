import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { useAccount, useIsLimited } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { useUrlFilter } from '../../lib/use-url-filter.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { Card, Empty, Page } from '../../ui/page.tsx';
import { ViewSwitch } from '../../ui/view-switch.tsx';
import { useGroups } from '../assignments/board-queries.ts';
import { useEveryone } from '../progress/everyone.ts';
import styles from './admin-home.module.css';
import { Attention } from './attention.tsx';
import { Classes } from './classes.tsx';
import { Figures } from './figures.tsx';
import { useFirstHour, useWaiting } from './first-hour.ts';
import { firstHourMessages } from './first-hour-messages.ts';
import { FirstSteps } from './first-steps.tsx';
import { useWhomToAsk } from './home-queries.ts';
import { LastChanges } from './last-changes.tsx';
import { Loaded } from './loaded.tsx';
import { adminHomeMessages } from './messages.ts';
import { OpenRequests } from './open-requests.tsx';
import { Waiting } from './waiting.tsx';

/** More classes are offered as a list. */
const maxSegments = 4;

/** Figures of all students or of one class, who needs attention, open requests and the latest changes. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function AdminHomePage() {
  const account = useAccount();
  const t = useTexts(adminHomeMessages);
  const first = useTexts(firstHourMessages);
  const formats = useFormats(account.timezone);
  const { filter, change } = useUrlFilter({ class: '' });
  const group = /^[1-9]\d{0,8}$/.test(filter.class) ? filter.class : '';
  const everyone = useEveryone(group);
  const isLimited = useIsLimited();
  const isEmpty = group === '' && everyone.data?.total === 0;
  const students = everyone.data?.students;
  const isWaiting = everyone.data === undefined && everyone.error === null;
  const firstHour = useFirstHour(group === '' && !isLimited ? students : undefined);
  const waiting = useWaiting(students ?? []);
  return (
    <Page
      title={t('title')}
      heading={formats.longDay(new Date().toISOString())}
      actions={
        <>
          {firstHour !== undefined && (
            <Button look="quiet" onPress={firstHour.hide}>
              {first('hide')}
            </Button>
          )}
          <ClassSwitch group={group} onChange={(next) => change({ class: next })} />
        </>
      }
    >
      <div className={styles.grid}>
        {firstHour !== undefined && <FirstSteps of={firstHour} />}
        {isLimited && isEmpty && (
          <Card>
            <Empty>{account.admin_group_ids?.length === 0 ? <NoClass /> : t('no_students_yet')}</Empty>
          </Card>
        )}
        {!isEmpty && (
          <div className={styles.main}>
            <Loaded of={everyone}>
              {({ students: known }) =>
                known === undefined ? (
                  <Card>
                    <Empty>{t('too_many')}</Empty>
                  </Card>
                ) : (
                  <>
                    {firstHour === undefined && <Figures students={known} group={group} />}
                    <div className={styles.column}>
                      <Waiting
                        students={known.filter(({ user_id }) => waiting.ids.has(user_id))}
                        since={waiting.since}
                        until={waiting.until}
                      />
                      {(firstHour === undefined || waiting.ids.size < known.length) && (
                        <Attention students={known.filter(({ user_id }) => !waiting.ids.has(user_id))} group={group} />
                      )}
                    </div>
                  </>
                )
              }
            </Loaded>
          </div>
        )}
        {!isLimited && (
          <div className={cx(styles.side, isWaiting && styles.waiting)}>
            <OpenRequests />
            <LastChanges />
          </div>
        )}
        {group === '' && everyone.data?.students !== undefined && !isEmpty && (
          <Classes students={everyone.data.students} />
        )}
      </div>
    </Page>
  );
}

/** Whom to ask for a class. */
function NoClass() {
  const t = useTexts(adminHomeMessages);
  const names = useWhomToAsk();
  return names === undefined ? t('no_class_yet') : t('no_class_ask', { names });
}

function ClassSwitch({ group, onChange }: { group: string; onChange: (group: string) => void }) {
  const t = useTexts(adminHomeMessages);
  const { data: groups = [] } = useGroups();
  const options = [
    ['', t(groups.length === 2 ? 'both_classes' : 'all_classes')],
    ...groups.map(({ id, name }) => [`${id}`, name] as const),
  ] as const;
  if (groups.length < 2) return null;
  return groups.length <= maxSegments ? (
    <ViewSwitch label={t('class')} options={options} value={group} onChange={onChange} />
  ) : (
    <Select label={t('class')} isLabelHidden options={options} value={group} onChange={onChange} />
  );
}
