import { ChevronRight } from 'lucide-react';
import { type ComponentProps, Fragment } from 'react';
import { cx } from '../../lib/cx.ts';
import { useMarks } from '../../lib/marks.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useTexts } from '../../lib/texts.ts';
import type { Action } from './actions.ts';
import styles from './audit.module.css';
import type { AuditEntry } from './audit-queries.ts';
import { differencesOf, isEmpty, isRemoval } from './differences.ts';
import { fieldMessages } from './field-messages.ts';
import { auditMessages, typeMessages } from './messages.ts';
import type { Names } from './names.ts';
import { Sentence } from './sentence.tsx';
import { Target } from './target.tsx';
import { Value } from './value.tsx';

const maxTargets = 8;
/** More changes are folded. */
const maxOpen = 3;

/** One action: what it changed, actor, time, and each field before and after. */
export function Entry({ of: action, names }: { of: Action; names: Names }) {
  const t = useTexts(auditMessages);
  const { first, entries } = action;
  const { at, actor } = first;
  const formats = useOwnFormats();
  return (
    <li className={styles.entry}>
      <div className={styles.head}>
        <h2>
          <Sentence of={action} names={names} maxTargets={maxTargets} isAlone />
        </h2>
        <p className={styles.who}>
          <span>{t('by', { name: names.user.get(actor.id) ?? actor.username })}</span>
          <time dateTime={at}>{formats.dateTime(at)}</time>
        </p>
      </div>
      {entries.length === 1 ? (
        <Differences entry={first} names={names} />
      ) : (
        <details className={styles.changes} open={entries.length <= maxOpen}>
          <summary>{t('changes', { count: entries.length })}</summary>
          <ul>
            {entries.toReversed().map((entry) => (
              <li key={entry.id}>
                <Part entry={entry} names={names} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

type TargetsProps = Omit<ComponentProps<typeof Target>, 'id'> & { ids: readonly number[] };

const Targets = ({ ids, ...props }: TargetsProps) =>
  ids.slice(0, maxTargets).map((id, index) => (
    <Fragment key={id}>
      {index > 0 && ' · '}
      <Target id={id} {...props} />
    </Fragment>
  ));

/** One of the changes of an action. */
function Part({ entry, names }: { entry: AuditEntry; names: Names }) {
  const type = useTexts(typeMessages);
  const marks = useMarks();
  const { target_type, target_ids } = entry;
  return (
    <>
      <p>
        {type(target_type)}
        {marks.colon}
        <Targets ids={target_ids} type={target_type} names={names} isGone={isRemoval(entry)} />
      </p>
      <Differences entry={entry} names={names} />
    </>
  );
}

const flags: readonly string[] = ['password_changed', 'identity_unlinked', 'note_changed', 'tags_changed', 'reordered'];

function Differences({ entry, names }: { entry: AuditEntry; names: Names }) {
  const t = useTexts(auditMessages);
  const label = useTexts(fieldMessages);
  const marks = useMarks();
  const all = differencesOf(entry);
  const flagged = all.filter(({ field }) => flags.includes(field));
  const compared = all.filter(({ field }) => !flags.includes(field));
  const textOf = (field: string) => label(field as keyof typeof fieldMessages);
  return (
    <div className={styles.changes}>
      {flagged.map(({ field }) => (
        <p key={field}>{textOf(field)}</p>
      ))}
      {all.length === 0 && entry.target_type === 'user' && <p>{t('forgotten')}</p>}
      {compared.length > 0 && (
        <dl>
          {compared.map((difference) => (
            <div key={difference.field}>
              <dt>{textOf(difference.field)}</dt>
              <dd>
                {'before' in difference && (
                  <del className={cx(isEmpty(difference.before) && styles.nothing)}>
                    <span className="visually-hidden">{`${t('before')}${marks.colon}`}</span>
                    <Value field={difference.field} value={difference.before} names={names} />
                  </del>
                )}
                {'before' in difference && 'after' in difference && <ChevronRight size={14} />}
                {'after' in difference && (
                  <ins>
                    <span className="visually-hidden">{`${t('after')}${marks.colon}`}</span>
                    <Value field={difference.field} value={difference.after} names={names} />
                  </ins>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
