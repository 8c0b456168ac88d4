import { Link } from 'wouter';
import { useFormats } from '../../lib/format.ts';
import { useProblem } from '../../lib/problem.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { Notice } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import { projectMessages } from './messages.ts';
import { useMembers } from './project-queries.ts';
import styles from './projects.module.css';

/** A project's members, for its owner and administrators; hidden if the owner is the only one. */
export function Members({ id }: { id: number }) {
  const t = useTexts(projectMessages);
  const problem = useProblem();
  const { id: userId, timezone, role } = useAccount();
  const formats = useFormats(timezone);
  const { data: members = [], error } = useMembers(id);
  if (error === null && members.every((member) => member.user_id === userId)) return null;
  return (
    <Card title={t('members')}>
      {error !== null && <Notice kind="error">{problem(error)}</Notice>}
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
                <td>{formats.hours(hours)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Card>
  );
}
