import { useState } from 'react';
import { fieldProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Form, SaveButtons } from '../../ui/form.tsx';
import { Problem } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.tsx';
import { DatesField } from './dates-field.tsx';
import { schoolYearMessages } from './messages.ts';
import { deleteTerm, newKey, saveTerm, type Term, type TermFields } from './school-year-queries.ts';

type Props = {
  /** Absent for a new one. */
  term?: Term | undefined;
  onClose: () => void;
};

/** Creates, changes or deletes a term. */
export function TermDialog({ term, onClose }: Props) {
  const t = useTexts(schoolYearMessages);
  const [fields, setFields] = useState<TermFields>(() => ({
    name: term?.name ?? '',
    from: term?.from ?? '',
    to: term?.to ?? '',
  }));
  const [key, setKey] = useState(newKey);
  const [isTried, setTried] = useState(false);
  const set = (changed: Partial<TermFields>) => {
    setFields({ ...fields, ...changed });
    setKey(newKey());
  };
  const save = useAction(async () => {
    await saveTerm(term?.id, fields, key);
    onClose();
  });
  const remove = useAction(async ({ id, name, from, to }: Term) => {
    await deleteTerm(id);
    const undo = () => void saveTerm(undefined, { name, from, to }, newKey());
    toast({ text: t('deleted', { name }), undo });
    onClose();
  });
  const isWhole = fields.name.trim() !== '' && fields.from !== '';
  const error = save.error ?? remove.error;
  return (
    <Dialog title={term === undefined ? t('add_term') : t('edit_term', { name: term.name })} isOpen onClose={onClose}>
      <Form
        className="stack-12"
        onSave={() => {
          setTried(true);
          return isWhole && save.run();
        }}
      >
        <Problem error={error} besides={['name', 'from', 'to']} />
        <Field
          label={t('name')}
          value={fields.name}
          onChange={(name) => set({ name })}
          maxLength={50}
          autoComplete="off"
          error={isTried && fields.name.trim() === '' ? t('name_needed') : fieldProblem(error, 'name')}
        />
        <DatesField fields={fields} onChange={set} error={error} isMissing={isTried} />
        <div className="row">
          <SaveButtons isPending={save.isRunning} onCancel={onClose} />
          {term !== undefined && (
            <Button look="danger" isPending={remove.isRunning} onPress={() => void remove.run(term)}>
              {t('delete')}
            </Button>
          )}
        </div>
      </Form>
    </Dialog>
  );
}
