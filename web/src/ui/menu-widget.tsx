import { type ReactNode, useEffect, useState } from 'react';
import { Header } from 'react-aria-components/Header';
import { Menu as AriaMenu, MenuItem, type MenuProps, MenuSection, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { cx } from '../lib/cx.ts';
import styles from './menu.module.css';
import { WidgetButton, type WidgetButtonProps } from './widget-button.tsx';

type Entry = { id: string; text: string; icon?: ReactNode; lang?: string };
export type MenuWidgetProps = {
  /** The button that opens it. */
  trigger: WidgetButtonProps;
  label: string;
  entries: readonly Entry[];
  onAction: (id: string) => void;
  /** The selected entry, in a menu of options. */
  chosen?: string;
  /** More sections, of options. */
  options?: readonly { label: string; entries: readonly Entry[]; chosen: string }[];
  /** Below all sections. */
  last?: Entry;
};

/** A menu and its button. It replaces the pressed button and opens at once. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function MenuWidget({ trigger, label, entries, onAction, chosen, options, last }: MenuWidgetProps) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(true), []);
  const selection: Partial<MenuProps<object>> =
    chosen === undefined ? {} : { selectionMode: 'single', selectedKeys: [chosen], disallowEmptySelection: true };
  return (
    <MenuTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <WidgetButton {...trigger} autoFocus />
      <Popover className={cx(styles.popover)} placement="bottom end">
        <AriaMenu
          aria-label={label}
          className={cx(styles.menu)}
          onAction={(key) => onAction(String(key))}
          {...selection}
        >
          {entries.map(itemOf)}
          {options?.map((section) => (
            <MenuSection
              key={section.label}
              className={cx(styles.section)}
              selectionMode="single"
              selectedKeys={[section.chosen]}
              disallowEmptySelection
            >
              <Header className={cx(styles.title)}>{section.label}</Header>
              {section.entries.map(itemOf)}
            </MenuSection>
          ))}
          {last !== undefined && (
            <MenuSection className={cx(styles.section)} aria-label={last.text}>
              {itemOf(last)}
            </MenuSection>
          )}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

function itemOf({ id, text, icon, lang }: Entry) {
  return (
    <MenuItem key={id} id={id} textValue={text} className={cx(styles.item)}>
      {icon}
      <span lang={lang}>{text}</span>
    </MenuItem>
  );
}
