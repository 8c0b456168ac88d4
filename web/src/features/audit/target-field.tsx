import { useState } from 'react';
import { useTexts } from '../../lib/texts.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { useCombobox } from '../../ui/combobox.tsx';
import { Field } from '../../ui/field.tsx';
import styles from './audit.module.css';
import type { AuditFilter } from './audit-queries.ts';
import { auditMessages, typeMessages } from './messages.ts';
import { type Named, useNamed, useNameOf, useRememberName } from './target-queries.ts';

type Props = { filter: AuditFilter; onChange: (changed: Pick<AuditFilter, 'target_type' | 'target_id'>) => void };

/** The person, class or project of which the changes are shown, found by name. */
export function TargetField({ filter, onChange }: Props) {
  const t = useTexts(auditMessages);
  const type = useTexts(typeMessages);
  /** Undefined while nothing is being typed. */
  const [typed, setTyped] = useState<string>();
  const text = typed?.trim() ?? '';
  const { data = [] } = useNamed(useDebounced(text, 200));
  const found = text === '' ? [] : data;
  const name = useNameOf(filter);
  const remember = useRememberName();
  const combobox = useCombobox({
    label: t('about'),
    count: found.length,
    preferred: 0,
    onChoose: (index) => choose(found[index]),
  });

  function choose(chosen: Named | undefined): void {
    if (chosen === undefined) return;
    setTyped(undefined);
    combobox.close();
    remember(chosen);
    onChange({ target_type: chosen.type, target_id: `${chosen.id}` });
  }

  return (
    <div className={styles.about}>
      <Field
        listProps={{
          ...combobox.inputProps,
          onKeyDown: (event) => !event.nativeEvent.isComposing && combobox.onKey(event),
        }}
        label={t('about')}
        placeholder={t('anything')}
        maxLength={100}
        value={typed ?? name ?? filter.target_id}
        onChange={(value) => {
          setTyped(value);
          combobox.reset();
          combobox.open();
          if (value === '') onChange({ target_type: filter.target_type, target_id: '' });
        }}
        onBlur={() => {
          combobox.close();
          setTyped(undefined);
        }}
      />
      {combobox.list(
        styles.found,
        found.map((each, index) =>
          combobox.option(
            index,
            <>
              <span>{each.name}</span>
              <small>{type(each.type)}</small>
            </>,
          ),
        ),
      )}
    </div>
  );
}
