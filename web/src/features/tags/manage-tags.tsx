import { useState } from 'react';
import { commonMessages } from '../../lib/messages.ts';
import { fieldProblem, useProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import rows from '../../ui/rows.module.css';
import { manageMessages } from './manage-messages.ts';
import { tagMessages } from './messages.ts';
import { deleteTag, renameTag, type Tag, useTags } from './tag-queries.ts';

/** The user's tags: renames, merges and deletes them. */
export function ManageTags() {
  const t = useTexts(manageMessages);
  const ofTags = useTexts(tagMessages);
  const read = useTags();
  const { data } = read;
  const [renaming, setRenaming] = useState<string>();
  const [deleting, setDeleting] = useState<Tag>();
  const remove = useAction(async (name: string) => {
    await deleteTag(name);
    setDeleting(undefined);
  });
  return (
    <Card title={t('manage')}>
      <p>{t('manage_about')}</p>
      <Loading of={read} />
      {data?.length === 0 && <p>{t('none')}</p>}
      <ul className={rows.rows} aria-label={ofTags('tags')}>
        {data?.map((tag) => (
          <li key={tag.name}>
            {renaming === tag.name ? (
              <Rename tag={tag} onDone={() => setRenaming(undefined)} />
            ) : (
              <>
                <span>
                  {tag.name}
                  <small>{ofTags('records', { count: tag.sessions_count })}</small>
                </span>
                <Button aria-label={t('rename_named', { name: tag.name })} onPress={() => setRenaming(tag.name)}>
                  {t('rename')}
                </Button>
                <Button aria-label={t('delete_named', { name: tag.name })} onPress={() => setDeleting(tag)}>
                  {t('delete')}
                </Button>
              </>
            )}
          </li>
        ))}
      </ul>
      {deleting !== undefined && (
        <ConfirmDialog
          title={t('delete_title', { name: deleting.name })}
          label={t('delete')}
          action={remove}
          onConfirm={() => remove.run(deleting.name)}
          onClose={() => setDeleting(undefined)}
        >
          <p>{t('delete_why', { records: ofTags('records', { count: deleting.sessions_count }) })}</p>
        </ConfirmDialog>
      )}
    </Card>
  );
}

function Rename({ tag, onDone }: { tag: Tag; onDone: () => void }) {
  const t = useTexts(manageMessages);
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const { data = [] } = useTags();
  const [name, setName] = useState(tag.name);
  const { run, isRunning, error } = useAction(async () => {
    await renameTag(tag.name, name.trim());
    onDone();
  });
  const other = data.find((known) => known.name !== tag.name && known.name === name.trim());
  const invalid = fieldProblem(error, 'name');
  return (
    <Form onSave={() => run()}>
      {error !== undefined && invalid === undefined && <Notice kind="error">{problem(error)}</Notice>}
      <Field label={t('name')} value={name} onChange={setName} maxLength={30} error={invalid} autoFocus />
      <Button type="submit" look="primary" isPending={isRunning} isDisabled={name.trim() === ''}>
        {other === undefined ? common('save') : t('merge', { name: other.name })}
      </Button>
      <Button onPress={onDone}>{common('cancel')}</Button>
    </Form>
  );
}
