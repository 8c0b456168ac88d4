import { Check, Eye, Trash2, UserPlus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { cx } from '../../lib/cx.ts';
import { shortcuts, useShortcuts } from '../../lib/shortcuts.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import floating from '../../ui/floating-bar.module.css';
import { Notice, Problem } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.tsx';
import styles from './inbox.module.css';
import { type BulkChange, type BulkResult, type ContactRequest, changeRequests } from './inbox-queries.ts';
import { MakeAccounts } from './make-accounts.tsx';
import { inboxMessages } from './messages.ts';

type Props = {
  shown: readonly number[];
  picked: readonly number[];
  /** Those of the picked requests that ask for an account. */
  accounts: readonly ContactRequest[];
  onPick: (ids: readonly number[], isOn: boolean) => void;
  onDeleted: (ids: readonly number[]) => void;
};

/** Selects all shown requests and changes the selected ones. No undo: a status only moves forward. */
export function BulkBar({ shown, picked, accounts, onPick, onDeleted }: Props) {
  const t = useTexts(inboxMessages);
  const [isAsking, setAsking] = useState(false);
  const [making, setMaking] = useState<readonly ContactRequest[]>();
  const [left, setLeft] = useState<readonly BulkResult[]>([]);
  const { run, isRunning, error } = useAction(async (change: BulkChange) => {
    const results = await changeRequests(picked, change);
    const done = results.filter(({ outcome }) => outcome === 'updated' || outcome === 'deleted');
    setLeft(results.filter(({ outcome }) => outcome === 'status_backward' || outcome === 'not_found'));
    setAsking(false);
    onPick(picked, false);
    toast({ text: t('delete' in change ? 'bulk_deleted' : 'bulk_done', { count: done.length }) });
    onDeleted(done.flatMap(({ id, outcome }) => (outcome === 'deleted' ? [id] : [])));
  });
  const set = (status: 'reviewed' | 'resolved') => void run({ status });
  const isPicked = picked.length > 0;
  const own = useRef<HTMLDivElement>(null);
  const wasPicked = useRef(false);
  useEffect(() => {
    if (wasPicked.current && document.activeElement === document.body) own.current?.focus(); // its button is gone
    wasPicked.current = isPicked;
  }, [isPicked]);
  useShortcuts(
    isPicked ? { [shortcuts.review]: () => set('reviewed'), [shortcuts.resolve]: () => set('resolved') } : {},
  );
  const isAll = isPicked && picked.length === shown.length;
  return (
    <div className={styles.bulk} ref={own} tabIndex={-1}>
      {shown.length > 0 && (
        <Checkbox isSelected={isAll} onChange={(isOn) => onPick(shown, isOn)}>
          {t('pick_shown', { count: shown.length })}
        </Checkbox>
      )}
      <p role="status">{isPicked && t('picked', { count: picked.length })}</p>
      {isPicked && (
        <fieldset className={cx(floating.bar, styles.bulkButtons)}>
          <legend className="visually-hidden">{t('bulk')}</legend>
          {accounts.length > 0 && (
            <Button icon={<UserPlus size={16} />} isPending={isRunning} onPress={() => setMaking(accounts)}>
              {t('make_accounts', { count: accounts.length })}
            </Button>
          )}
          <Button icon={<Eye size={16} />} isPending={isRunning} onPress={() => set('reviewed')}>
            {t('review')}
          </Button>
          <Button look="primary" icon={<Check size={16} />} isPending={isRunning} onPress={() => set('resolved')}>
            {t('resolve')}
          </Button>
          <Button look="danger" icon={<Trash2 size={16} />} isPending={isRunning} onPress={() => setAsking(true)}>
            {t('delete')}
          </Button>
        </fieldset>
      )}
      {making !== undefined && <MakeAccounts requests={making} onClose={() => setMaking(undefined)} />}
      {!isAsking && <Problem error={error} />}
      {left.length > 0 && (
        <Notice kind="error">
          <p>{t('bulk_left')}</p>
          <ul>
            {left.map(({ id, outcome }) => (
              <li key={id}>{(outcome === 'not_found' || outcome === 'status_backward') && t(outcome, { id })}</li>
            ))}
          </ul>
        </Notice>
      )}
      <ConfirmDialog
        title={t('bulk_delete_title', { count: picked.length })}
        label={t('delete')}
        isOpen={isAsking}
        action={{ isRunning, error }}
        onConfirm={() => run({ delete: true })}
        onClose={() => setAsking(false)}
      >
        <p>{t('bulk_delete_why')}</p>
      </ConfirmDialog>
    </div>
  );
}
