import { type ReactNode, useEffect } from 'react';
import { Link } from 'wouter';
import { useTexts } from '../../lib/texts.ts';
import { href, type RouteName } from '../../routes.ts';
import styles from './auth.module.css';
import { authMessages } from './messages.ts';
import { passwordsAreOff } from './single-sign-on.ts';

const isOffered = (name: RouteName): boolean => name !== 'forgotPassword' || !passwordsAreOff;

type Props = {
  title: string;
  intro?: ReactNode;
  children: ReactNode;
  links: readonly ('signIn' | 'forgotPassword' | 'contact')[];
};

/** A narrow page for signed-out users, with links to the others below. */
export function PublicPage({ title, intro, children, links }: Props) {
  const t = useTexts(authMessages);
  useEffect(() => {
    document.title = `${title} – Studytrack`;
  }, [title]);
  const texts = { signIn: t('to_sign_in'), forgotPassword: t('forgot'), contact: t('contact') };
  return (
    <main className={styles.page}>
      <div className={styles.intro}>
        <h1>{title}</h1>
        {intro !== undefined && <p>{intro}</p>}
      </div>
      {children}
      <p className={styles.foot}>
        {links.filter(isOffered).map((name) => (
          <Link key={name} href={href(name satisfies RouteName)}>
            {texts[name]}
          </Link>
        ))}
      </p>
    </main>
  );
}
