import { Link } from 'wouter';
import { cx } from '../../lib/cx.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useTexts } from '../../lib/texts.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Avatar } from '../../ui/person.tsx';
import styles from './inbox.module.css';
import type { ContactRequest } from './inbox-queries.ts';
import { inboxMessages } from './messages.ts';
import requestList from './request-list.module.css';

type Props = {
  requests: readonly ContactRequest[];
  chosen: number | undefined;
  picked: readonly number[];
  onPick: (ids: readonly number[], isOn: boolean) => void;
  /** For a list of several statuses. */
  isStateShown: boolean;
  linkTo: (id: number) => string;
};

export function RequestList({ requests, chosen, picked, onPick, isStateShown, linkTo }: Props) {
  const t = useTexts(inboxMessages);
  const formats = useOwnFormats();
  return (
    <ul className={cx(styles.requests, picked.length > 0 && requestList.picking)} aria-label={t('requests')}>
      {requests.map(({ id, name, subject, message, status, overdue, created_at }) => (
        <li key={id} className={cx(requestList.row, id === chosen && requestList.chosen)}>
          <Avatar id={id} name={name} size="small" />
          <Checkbox isSelected={picked.includes(id)} onChange={(isOn) => onPick([id], isOn)}>
            <span className="visually-hidden">{t('pick', { id, name })}</span>
          </Checkbox>
          <Link href={linkTo(id)} className={requestList.request} aria-current={id === chosen ? 'true' : undefined}>
            <span className={requestList.line}>
              <strong>{name}</strong>
              <small className={cx(overdue && requestList.overdue)}>
                {overdue && <span className="visually-hidden">{t('overdue')} </span>}
                {formats.age(created_at)}
              </small>
            </span>
            <span className={requestList.line}>
              <span>{t(subject)}</span>
              {isStateShown && <small>{t(status)}</small>}
            </span>
            <span className={requestList.excerpt}>{message}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
