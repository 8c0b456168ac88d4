import { Link } from 'wouter';
import { useFormats } from '../../lib/format.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { Loading } from '../../ui/loading.tsx';
import { Card, Progress } from '../../ui/page.tsx';
import { projectMessages } from './messages.ts';
import { type ShownProject, useMembers } from './project-queries.ts';
import styles from './projects.module.css';

/** A project's members, for its owner and administrators. */
export function Members({ project: { id, target_hours, target_scope } }: { project: ShownProject }) {
  const t = useTexts(projectMessages);
  const { id: userId, timezone, role } = useAccount();
  const formats = useFormats(timezone);
  const read = useMembers(id);
  const { data: members } = read;
  const hasGoal = target_scope === 'each' && target_hours > 0;
  return (
    <Card title={t('members')}>
      <Loading of={read} lines={5} />
      {members?.length === 0 && <p>{t('no_members')}</p>}
      {members !== undefined && members.length > 0 && (
        <table className={styles.members}>
          <thead>
            <tr>
              <th scope="col">{t('member')}</th>
              <th scope="col">{t('last_study')}</th>
              <th scope="col">{t('hours')}</th>
            </tr>
          </thead>
          <tbody>
            {members.map(({ user_id, username, display_name, active_assignment, hours, last_session }) => {
              const name = display_name === '' ? username : display_name;
              return (
                <tr key={user_id}>
                  <th scope="row">
                    {role === 'admin' ? <Link href={href('student', { id: user_id })}>{name}</Link> : name}
                    {!active_assignment && user_id !== userId && <small>{t('former')}</small>}
                  </th>
                  <td>{last_session === null ? t('never') : formats.daysAgo(last_session)}</td>
                  <td>
                    {formats.hours(hours)}
                    {hasGoal && <Progress percent={(hours / target_hours) * 100} label={t('progress_of', { name })} />}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </Card>
  );
}
