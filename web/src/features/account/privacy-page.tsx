import { Fragment } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../lib/api.ts';
import { useTexts } from '../../lib/texts.ts';
import { useMeta } from '../../lib/use-meta.ts';
import { href } from '../../routes.ts';
import { Loading } from '../../ui/loading.tsx';
import { Card, Page } from '../../ui/page.tsx';
import styles from './account.module.css';
import { privacyMessages } from './privacy-messages.ts';

type Days = Schemas['Meta']['retention_days'];

/** docs/privacy.md in short, with the days that the settings of this service say. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function PrivacyPage() {
  const t = useTexts(privacyMessages);
  const read = useMeta();
  const { data } = read;
  return (
    <Page title={t('title')}>
      <div className="stack">
        <Card title={t('stored')}>
          {data !== undefined && <Stored days={data.retention_days} />}
          <Loading of={read} lines={14} />
        </Card>
        <Card title={t('yours')}>
          <ul>
            <li>{t('export')}</li>
            <li>{t('correct')}</li>
            <li>{t('erase')}</li>
          </ul>
          <p>
            <Link href={href('me')}>{t('settings')}</Link>
          </p>
        </Card>
      </div>
    </Page>
  );
}

function Stored({ days }: { days: Days }) {
  const t = useTexts(privacyMessages);
  const kept = (limit: number | null, key: 'account_kept' | 'sign_ins_kept' | 'audit_kept' | 'contact_kept') =>
    limit === null ? t(key) : t(`${key}_days`, { days: t('days', { count: limit }) });
  const { addresses } = days;
  const contact = kept(days.contact_requests, 'contact_kept');
  const all: [name: string, what: string, kept: string][] = [
    [t('account'), t('account_what'), kept(days.accounts, 'account_kept')],
    [t('study'), t('study_what'), t('study_kept')],
    [t('sign_ins'), t('sign_ins_what'), kept(addresses, 'sign_ins_kept')],
    [t('audit'), t('audit_what'), kept(days.audit_log, 'audit_kept')],
    [
      t('contact'),
      t('contact_what'),
      addresses === null
        ? contact
        : `${contact} ${t('contact_address_days', { days: t('days', { count: addresses }) })}`,
    ],
    [t('operation'), t('operation_what'), t('operation_kept')],
  ];
  return (
    <dl className={styles.stored}>
      {all.map(([name, ...details]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          {details.map((detail) => (
            <dd key={detail}>{detail}</dd>
          ))}
        </Fragment>
      ))}
    </dl>
  );
}
