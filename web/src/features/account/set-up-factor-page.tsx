import { session } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { Page } from '../../ui/page.tsx';
import { accountMessages } from './messages.ts';
import { SecondFactor } from './second-factor.tsx';

/** Shown when the operator requires a second factor: until it is set up, the service rejects all other requests. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function SetUpFactorPage() {
  const t = useTexts(accountMessages);
  return (
    <main className="alone">
      <Page title={t('factor_required')}>
        <p>{t('factor_required_why')}</p>
        <SecondFactor onDone={() => session.requireFactor(false)} />
      </Page>
    </main>
  );
}
