import type { Schemas } from '../../lib/api.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import styles from './import.module.css';
import { undoImport } from './import-queries.ts';
import { importMessages } from './messages.ts';

/** The imports of the last 7 days that added records. */
export function EarlierImports({ imports }: { imports: readonly Schemas['SessionImport'][] }) {
  const t = useTexts(importMessages);
  const formats = useOwnFormats();
  const done = imports.filter(({ dry_run, imported, state }) => !dry_run && imported > 0 && state === 'done');
  if (done.length === 0) return null;
  return (
    <Card title={t('earlier')} context={t('earlier_why')}>
      <ul className={styles.projects}>
        {done.map(({ id, created_at, imported }) => (
          <li key={id}>
            <span>
              <strong>{formats.dateTime(created_at)}</strong>
              <small>{t('records_of', { count: imported })}</small>
            </span>
            <Undo id={id} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** What an import has added, with a way back. */
export function UndoImport({ id, count }: { id: number; count: number }) {
  const t = useTexts(importMessages);
  return (
    <div className={styles.preview}>
      <Notice kind="success">{t('done', { count })}</Notice>
      <div className="row">
        <LinkButton look="primary" href={`${href('records')}?view=list`}>
          {t('to_records')}
        </LinkButton>
        <Undo id={id} />
      </div>
    </div>
  );
}

function Undo({ id }: { id: number }) {
  const t = useTexts(importMessages);
  const { run, isRunning, isDone, error } = useAction(async () => {
    const { deleted, kept } = await undoImport(id);
    toast({ text: `${t('undone', { count: deleted })}${kept > 0 ? t('kept', { count: kept }) : ''}` });
  });
  return (
    <>
      <Button isPending={isRunning} isDisabled={isDone} onPress={() => void run()}>
        {t('undo')}
      </Button>
      <Problem error={error} />
    </>
  );
}
