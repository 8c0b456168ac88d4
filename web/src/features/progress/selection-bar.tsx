import { ListChecks, Printer, School, X } from 'lucide-react';
import { useState } from 'react';
import { cx } from '../../lib/cx.ts';
import { commonMessages } from '../../lib/messages.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/field.tsx';
import floating from '../../ui/floating-bar.module.css';
import { LinkButton } from '../../ui/link-button.tsx';
import { Problem } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.tsx';
import { useGroups } from '../assignments/board-queries.ts';
import { changeMembers } from '../groups/group-queries.ts';
import { progressMessages } from './messages.ts';
import styles from './student-rows.module.css';
import { CopyAddresses, Write } from './write.tsx';

/** What can be done with the selected students. */
export function SelectionBar({ picked, onClear }: { picked: ReadonlySet<number>; onClear: () => void }) {
  const t = useTexts(progressMessages);
  const [isAdding, setAdding] = useState(false);
  const ids = [...picked];
  const list = ids.join(',');
  if (ids.length === 0) return null;
  return (
    <section className={cx(floating.bar, styles.bar, 'no-print')} aria-label={t('selected')}>
      <strong role="status">{t('count_selected', { count: ids.length })}</strong>
      <Write ids={ids} text="write_count" look="primary" />
      <CopyAddresses ids={ids} />
      <LinkButton look="quiet" href={`${href('assign')}?students=${list}&add=all`} icon={<ListChecks size={18} />}>
        {t('assign_projects')}
      </LinkButton>
      <Button look="quiet" icon={<School size={18} />} onPress={() => setAdding(true)}>
        {t('add_to_class')}
      </Button>
      <LinkButton look="quiet" href={`${href('reports')}?students=${list}`} icon={<Printer size={18} />}>
        {t('print_reports')}
      </LinkButton>
      <Button look="quiet" aria-label={t('select_none')} icon={<X size={18} />} onPress={onClear} />
      {isAdding && (
        <AddToClass
          ids={ids}
          onClose={() => setAdding(false)}
          onAdded={() => {
            setAdding(false);
            onClear();
          }}
        />
      )}
    </section>
  );
}

type AddProps = { ids: readonly number[]; onClose: () => void; onAdded: () => void };

function AddToClass({ ids, onClose, onAdded }: AddProps) {
  const t = useTexts(progressMessages);
  const common = useTexts(commonMessages);
  const { data: groups = [] } = useGroups();
  const [given, setGroup] = useState('');
  const group = given === '' ? `${groups[0]?.id ?? ''}` : given;
  const { run, isRunning, error } = useAction(async () => {
    await changeMembers(Number(group), { add: [...ids] });
    onAdded();
    toast({ text: t('were_added', { name: groups.find(({ id }) => `${id}` === group)?.name ?? '' }) });
  });
  return (
    <Dialog title={t('add_to_class')} isOpen onClose={onClose}>
      <Problem error={error} />
      <Select
        label={t('group')}
        value={group}
        onChange={setGroup}
        options={groups.map(({ id, name }) => [`${id}`, name] as const)}
      />
      <div className={styles.buttons}>
        <Button look="primary" isDisabled={group === ''} isPending={isRunning} onPress={() => void run()}>
          {t('add_count', { count: ids.length })}
        </Button>
        <Button onPress={onClose}>{common('cancel')}</Button>
      </div>
    </Dialog>
  );
}
