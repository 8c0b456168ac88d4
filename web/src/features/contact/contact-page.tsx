import { useState } from 'react';
import { Link } from 'wouter';
import { useFormats } from '../../lib/format.ts';
import { useTexts } from '../../lib/texts.ts';
import { deviceZone } from '../../lib/zone.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Deferred, Page } from '../../ui/page.tsx';
import styles from './contact.module.css';
import { ContactForm, type Sent } from './contact-form.tsx';
import { contactMessages } from './messages.ts';

/** The contact form, for people without an account or without access to it. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function ContactPage() {
  const t = useTexts(contactMessages);
  const [sent, setSent] = useState<Sent>();
  const [again, setAgain] = useState<Sent['written']>();
  return (
    <main className={styles.page}>
      {sent === undefined ? (
        <Page title={t('title')} below={t('intro')}>
          <ContactForm onSent={setSent} again={again} />
        </Page>
      ) : (
        <Page key="sent" title={t('sent')} below={t('number', { number: sent.number })}>
          <Receipt
            sent={sent}
            onAgain={() => {
              setAgain(sent.written);
              setSent(undefined);
            }}
          />
        </Page>
      )}
      <Deferred>
        <p className={styles.foot}>
          <Link href={href('today')}>{t('back')}</Link>
        </p>
      </Deferred>
    </main>
  );
}

const dayMilliseconds = 86_400_000;

/** Where and until when the answer comes, and what was written. */
function Receipt({ sent: { written }, onAgain }: { sent: Sent; onAgain: () => void }) {
  const t = useTexts(contactMessages);
  const formats = useFormats(deviceZone);
  const [until] = useState(() => new Date(Date.now() + dayMilliseconds).toISOString());
  return (
    <div className={styles.receipt}>
      <Notice kind="success">
        {t('answer_to', { email: written.email, day: formats.day(until), time: formats.time(until) })}
      </Notice>
      <figure>
        <figcaption>{t('you_wrote')}</figcaption>
        <blockquote>{written.message}</blockquote>
      </figure>
      <p className={styles.hint}>{t('wrong_address')}</p>
      <Button onPress={onAgain}>{t('again')}</Button>
    </div>
  );
}
