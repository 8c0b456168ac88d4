import { session } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { Page } from '../../ui/page.tsx';
import { accountMessages } from './messages.ts';
import { SecondFactor } from './second-factor.tsx';

/** Where the operator requires a second factor, the service accepts nothing else before there is one. */
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
