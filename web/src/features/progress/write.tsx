import { Copy, Mail } from 'lucide-react';
import { useState } from 'react';
import { cx } from '../../lib/cx.ts';
import { useProblem } from '../../lib/problem.ts';
import { type Catalogue, useTexts } from '../../lib/texts.ts';
import { useMail } from '../../lib/use-meta.ts';
import styles from '../../ui/button.module.css';
import { Button, type ButtonShape, buttonClass } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.tsx';
import { useStudents } from '../assignments/board-queries.ts';
import { type Letter, mailto } from './letter.ts';
import { MessageDialog } from './message-dialog.tsx';

const writeMessages = {
  write: { en: 'Write', zh: '写邮件' },
  write_to: { en: 'Write to {name}', zh: '写邮件给 {name}' },
  write_count: { en: 'Write to {count}', zh: '写邮件给 {count} 人' },
  write_lost: {
    en: { one: 'Write to {count} who lost time', other: 'Write to {count} who lost time' },
    zh: '写邮件给时长减少的 {count} 人',
  },
  write_all: { en: 'Write to all {count}', zh: '写邮件给全部 {count} 人' },
  copy: { en: 'Copy addresses', zh: '复制邮箱地址' },
  copied: {
    en: { one: '{count} address was copied.', other: '{count} addresses were copied.' },
    zh: '已复制 {count} 个邮箱地址。',
  },
} as const satisfies Catalogue;

/** Longer addresses are not opened by every mail program. */
const maxLength = 1900;

/** The e-mail addresses of these students. */
function useAddresses(ids: readonly number[]): string[] {
  const { data = [] } = useStudents();
  const known = new Map(data.map(({ id, email }) => [id, email]));
  return ids.flatMap((id) => known.get(id) ?? []);
}

type Props = Pick<ButtonShape, 'look'> & {
  ids: readonly number[];
  /** Of one person: the name, which screen readers read. */
  name?: string;
  text: 'write' | 'write_count' | 'write_all' | 'write_lost';
  letter?: Letter | undefined;
  isSmall?: boolean;
};

/** Writes to students: through the service if it sends mails, else in the mail program; too many addresses are copied instead. */
export function Write({ ids, name, text, letter, look = 'plain', isSmall = false }: Props) {
  const t = useTexts(writeMessages);
  const copy = useCopy();
  const hasMail = useMail();
  const [isOpen, setOpen] = useState(false);
  const addresses = useAddresses(ids);
  const target = mailto(addresses, letter);
  const icon = <Mail size={isSmall ? 16 : 18} strokeWidth={1.75} />;
  const shown = t(text, { count: ids.length });
  if (addresses.length === 0 || hasMail === undefined) return null;
  const label = name !== undefined && { 'aria-label': t('write_to', { name }) };
  if (hasMail)
    return (
      <>
        <Button look={look} icon={icon} isSmall={isSmall} onPress={() => setOpen(true)} {...label}>
          {shown}
        </Button>
        {isOpen && <MessageDialog ids={ids} letter={letter} onClose={() => setOpen(false)} />}
      </>
    );
  if (target.length > maxLength)
    return (
      <Button look={look} icon={icon} onPress={() => copy(addresses)}>
        {shown}
      </Button>
    );
  return (
    <a className={cx(buttonClass({ look, children: shown, isSmall }), styles.link)} href={target} {...label}>
      {icon}
      {shown}
    </a>
  );
}

/** Copies e-mail addresses, for mail programs in another browser tab. */
export function CopyAddresses({ ids }: { ids: readonly number[] }) {
  const t = useTexts(writeMessages);
  const copy = useCopy();
  const addresses = useAddresses(ids);
  return (
    <Button
      look="quiet"
      icon={<Copy size={18} strokeWidth={1.75} />}
      isDisabled={addresses.length === 0}
      onPress={() => copy(addresses)}
    >
      {t('copy')}
    </Button>
  );
}

function useCopy() {
  const t = useTexts(writeMessages);
  const problem = useProblem();
  return (addresses: readonly string[]) =>
    void navigator.clipboard.writeText(addresses.join(', ')).then(
      () => toast({ text: t('copied', { count: addresses.length }) }),
      (failure) => toast({ text: problem(failure) }),
    );
}
