import { useState } from 'react';
import { Link } from 'wouter';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import styles from './contact.module.css';
import { ContactForm, type Sent } from './contact-form.tsx';
import { contactMessages } from './messages.ts';

/** The contact form, for people without an account or without access to it. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function ContactPage() {
  const t = useTexts(contactMessages);
  const [sent, setSent] = useState<Sent>();
  return (
    <main className={styles.page}>
      {sent === undefined ? (
        <Page title={t('title')} below={t('intro')}>
          <ContactForm onSent={setSent} />
        </Page>
      ) : (
        <Page key="sent" title={t('sent')}>
          <Notice kind="success">
            <p>{sent.message}</p>
            <p>{t('number', { number: sent.number })}</p>
          </Notice>
        </Page>
      )}
      <p className={styles.foot}>
        <Link href={href('today')}>{t('back')}</Link>
      </p>
    </main>
  );
}
