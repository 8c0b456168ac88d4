import { useState } from 'react';
import { useMergingSave, type Version } from '../../lib/merge.ts';
import { fieldProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { ConflictDialog } from '../../ui/conflict-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Form, SaveButtons } from '../../ui/form.tsx';
import { Problem } from '../../ui/notice.tsx';
import {
  createGroup,
  type Group,
  type GroupFields,
  groupsChanged,
  readGroup,
  renameGroup,
  versionOf,
} from './group-queries.ts';
import { groupMessages } from './messages.ts';

type Props = {
  /** Absent for a new one. */
  group?: Group;
  onClose: () => void;
  onSaved: (id: number) => void;
};

/** Creates or renames a group. */
export function NameDialog({ group, onClose, onSaved }: Props) {
  const t = useTexts(groupMessages);
  // Pinned: a refetch behind the dialog must not let it overwrite values that it never showed.
  const [opened] = useState(() => group && versionOf(group));
  // A new key per name: a retry after a lost response creates no duplicate.
  const [{ name, key }, setForm] = useState(() => ({ name: opened?.fields.name ?? '', key: newKey() }));
  const id = group?.id ?? 0;
  const merging = useMergingSave<GroupFields>({
    read: async () => {
      void groupsChanged(); // the lists are stale
      return versionOf(await readGroup(id));
    },
    write: (fields, on) => renameGroup(id, fields, on),
  });
  const { run, isRunning, error } = useAction(
    async (fields: GroupFields, on: Version<GroupFields> | undefined = opened) => {
      if (on === undefined) return onSaved(await createGroup(fields, key));
      if ((await merging.save(fields, on)) !== undefined) onSaved(id);
    },
  );
  function submit(): void {
    void run({ name });
  }
  if (merging.conflict !== undefined)
    return (
      <ConflictDialog
        merging={{ conflict: merging.conflict, dismiss: onClose }}
        label={(field) => t(field)}
        show={(field, fields) => fields[field]}
        onChoose={(on, fields) => run(fields, on)}
      />
    );
  return (
    <Dialog title={group === undefined ? t('new') : t('rename_title', { name: group.name })} isOpen onClose={onClose}>
      <Form className="stack" onSave={submit}>
        <Problem error={error} besides={['name']} />
        <Field
          label={t('name')}
          value={name}
          onChange={(text) => setForm({ name: text, key: newKey() })}
          maxLength={50}
          autoComplete="off"
          autoFocus
          error={fieldProblem(error, 'name')}
        />
        <div className="buttons">
          <SaveButtons isPending={isRunning} onCancel={onClose} />
        </div>
      </Form>
    </Dialog>
  );
}

const newKey = () => `group-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;
