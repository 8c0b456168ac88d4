import { Bookmark, Columns3, X } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearch } from 'wouter';
import { type Catalogue, useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Popup } from '../../ui/popup.tsx';
import { progressMessages } from './messages.ts';
import { savedViews, useSavedViews } from './saved-views.ts';
import { type Column, columns, readColumns, writeColumns } from './student-columns.ts';
import styles from './view-tools.module.css';

const viewMessages = {
  columns: { en: 'Columns', zh: '列' },
  save_view: { en: 'Save view', zh: '保存视图' },
  views: { en: 'Saved views', zh: '已保存的视图' },
  name: { en: 'Name of the view', zh: '视图名称' },
  save: { en: 'Save', zh: '保存' },
  none: {
    en: 'A view keeps filters, order and columns, in this browser.',
    zh: '视图会在此浏览器中保存筛选、排序和列。',
  },
  remove: { en: 'Delete the view {name}', zh: '删除视图“{name}”' },
} as const satisfies Catalogue;

type Props = { given: string; onChange: (columns: string) => void };

/** Selects the columns of the table, which are in the address. */
export function Columns({ given, onChange }: Props) {
  const t = useTexts(viewMessages);
  const text = useTexts(progressMessages);
  const shown = readColumns(given);
  const set = (column: Column, isOn: boolean) =>
    onChange(
      writeColumns(
        isOn
          ? columns.filter((each) => each === column || shown.includes(each))
          : shown.filter((each) => each !== column),
      ),
    );
  return (
    <div className={styles.columns}>
      <Popup label={t('columns')} trigger={{ icon: <Columns3 size={18} />, children: t('columns') }}>
        {columns.map((column) => (
          <Checkbox key={column} isSelected={shown.includes(column)} onChange={(isOn) => set(column, isOn)}>
            {text(column)}
          </Checkbox>
        ))}
      </Popup>
    </div>
  );
}

const maxName = 40;

/** Views that were saved under a name, and a field to save the present one. */
export function Views() {
  const t = useTexts(viewMessages);
  const query = useSearch();
  const views = useSavedViews();
  const [name, setName] = useState('');
  function save(): void {
    if (name.trim() === '') return;
    savedViews.save({ name: name.trim(), query });
    setName('');
  }
  return (
    <Popup label={t('views')} trigger={{ look: 'quiet', icon: <Bookmark size={16} />, children: t('save_view') }}>
      {views.length === 0 ? (
        <p className={styles.none}>{t('none')}</p>
      ) : (
        <ul className={styles.views} aria-label={t('views')}>
          {views.map((view) => (
            <li key={view.name}>
              <Link href={`${href('students')}?${view.query}`} aria-current={view.query === query ? 'page' : undefined}>
                {view.name}
              </Link>
              <Button
                look="quiet"
                isSmall
                aria-label={t('remove', { name: view.name })}
                icon={<X size={16} />}
                onPress={() => savedViews.remove(view.name)}
              />
            </li>
          ))}
        </ul>
      )}
      <Form className={styles.save} onSave={save}>
        <Field aria-label={t('name')} placeholder={t('name')} value={name} maxLength={maxName} onChange={setName} />
        <Button type="submit" look="primary">
          {t('save')}
        </Button>
      </Form>
    </Popup>
  );
}
