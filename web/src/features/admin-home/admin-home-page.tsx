import { useFormats } from '../../lib/format.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { useUrlFilter } from '../../lib/use-url-filter.ts';
import { Select } from '../../ui/field.tsx';
import { Card, Empty, Page } from '../../ui/page.tsx';
import { ViewSwitch } from '../../ui/view-switch.tsx';
import { useGroups } from '../assignments/board-queries.ts';
import { useEveryone } from '../progress/everyone.ts';
import styles from './admin-home.module.css';
import { Attention } from './attention.tsx';
import { Classes } from './classes.tsx';
import { Figures } from './figures.tsx';
import { FirstSteps } from './first-steps.tsx';
import { LastChanges } from './last-changes.tsx';
import { Loaded } from './loaded.tsx';
import { adminHomeMessages } from './messages.ts';
import { OpenRequests } from './open-requests.tsx';

/** More classes are offered as a list. */
const maxSegments = 4;

/** Figures of all students or of one class, who needs attention, open requests and the latest changes. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function AdminHomePage() {
  const t = useTexts(adminHomeMessages);
  const formats = useFormats(useAccount().timezone);
  const { filter, change } = useUrlFilter({ class: '' });
  const group = /^[1-9]\d{0,8}$/.test(filter.class) ? filter.class : '';
  const everyone = useEveryone(group);
  const isEmpty = group === '' && everyone.data?.total === 0;
  return (
    <Page
      title={t('title')}
      heading={formats.longDay(new Date().toISOString())}
      actions={<ClassSwitch group={group} onChange={(next) => change({ class: next })} />}
    >
      <div className={styles.grid}>
        {isEmpty && <FirstSteps />}
        {!isEmpty && (
          <div className={styles.main}>
            <Loaded of={everyone}>
              {({ students }) =>
                students === undefined ? (
                  <Card>
                    <Empty>{t('too_many')}</Empty>
                  </Card>
                ) : (
                  <>
                    <Figures students={students} group={group} />
                    <Attention students={students} group={group} />
                  </>
                )
              }
            </Loaded>
          </div>
        )}
        <div className={styles.side}>
          <OpenRequests />
          <LastChanges />
        </div>
        {group === '' && everyone.data?.students !== undefined && !isEmpty && (
          <Classes students={everyone.data.students} />
        )}
      </div>
    </Page>
  );
}

function ClassSwitch({ group, onChange }: { group: string; onChange: (group: string) => void }) {
  const t = useTexts(adminHomeMessages);
  const { data: groups = [] } = useGroups();
  const options = [['', t('all_classes')], ...groups.map(({ id, name }) => [`${id}`, name] as const)] as const;
  if (groups.length < 2) return null;
  return groups.length <= maxSegments ? (
    <ViewSwitch label={t('class')} options={options} value={group} onChange={onChange} />
  ) : (
    <Select label={t('class')} isLabelHidden options={options} value={group} onChange={onChange} />
  );
}
