import { useFormats } from '../../lib/format.ts';
import { useProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { Notice } from '../../ui/notice.tsx';
import { userMessages } from './messages.ts';
import { useWorkOf } from './user-queries.ts';
import styles from './users.module.css';

const parts = ['records', 'assigned', 'own'] as const;

/** The number of records and projects of an account. */
export function UserWork({ id }: { id: number }) {
  const t = useTexts(userMessages);
  const formats = useFormats('UTC');
  const problem = useProblem();
  const { data, error } = useWorkOf(id);
  if (error !== null) return <Notice kind="error">{problem(error)}</Notice>;
  return (
    <dl className={styles.facts}>
      {parts.map((part) => (
        <div key={part}>
          <dt>{t(part)}</dt>
          <dd>{data === undefined ? '…' : formats.number(data[part])}</dd>
        </div>
      ))}
    </dl>
  );
}
