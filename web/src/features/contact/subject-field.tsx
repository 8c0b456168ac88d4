import { CircleQuestionMark, KeyRound, type LucideIcon, MessageSquare, UserPlus } from 'lucide-react';
import { cx } from '../../lib/cx.ts';
import { useTexts } from '../../lib/texts.ts';
import tiles from '../../ui/tiles.module.css';
import styles from './contact.module.css';
import { contactMessages } from './messages.ts';

export const subjects = ['account_registration', 'password_reset', 'technical_support', 'other'] as const;
export type Subject = (typeof subjects)[number];

const icons: Readonly<Record<Subject, LucideIcon>> = {
  account_registration: UserPlus,
  password_reset: KeyRound,
  technical_support: CircleQuestionMark,
  other: MessageSquare,
};

/** What the message is about, as four tiles. */
export function SubjectField({ value, onChange }: { value: Subject; onChange: (subject: Subject) => void }) {
  const t = useTexts(contactMessages);
  return (
    <fieldset className={cx(tiles.tiles, styles.subjects)}>
      <legend>{t('subject')}</legend>
      {subjects.map((subject) => {
        const Icon = icons[subject];
        return (
          <label key={subject}>
            <input
              type="radio"
              name="subject"
              className="visually-hidden"
              checked={subject === value}
              onChange={() => onChange(subject)}
            />
            <Icon size={16} />
            {t(subject)}
          </label>
        );
      })}
    </fieldset>
  );
}
