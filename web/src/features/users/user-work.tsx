import { useFormats } from '../../lib/format.ts';
import { useTexts } from '../../lib/texts.ts';
import { Loading } from '../../ui/loading.tsx';
import { userMessages } from './messages.ts';
import { useWorkOf } from './user-queries.ts';
import styles from './users.module.css';

const parts = ['records', 'assigned', 'own'] as const;

/** The number of records and projects of an account. */
export function UserWork({ id }: { id: number }) {
  const t = useTexts(userMessages);
  const formats = useFormats('UTC');
  const read = useWorkOf(id);
  const { data } = read;
  if (read.isError) return <Loading of={read} />;
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
