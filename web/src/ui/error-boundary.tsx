import { Component, type ReactNode } from 'react';
import { forgetFailures } from '../lib/loadable.tsx';
import { commonMessages } from '../lib/messages.ts';
import { useTexts } from '../lib/texts.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import { Page } from './page.tsx';

type Props = {
  fallback: (retry: () => void) => ReactNode;
  /** What is shown; another one is tried again. */
  place?: string;
  children: ReactNode;
};

/** Shows a fallback if rendering fails or code cannot be loaded. */
export class ErrorBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidUpdate({ place }: Props): void {
    if (this.state.hasFailed && place !== this.props.place) this.setState({ hasFailed: false });
  }

  override componentDidCatch(): void {
    forgetFailures();
  }

  override render(): ReactNode {
    const { fallback, children } = this.props;
    return this.state.hasFailed ? fallback(() => this.setState({ hasFailed: false })) : children;
  }
}

/** Code could not be loaded, offline or because a newer version was deployed. */
export function Failed({ onRetry }: { onRetry: () => void }) {
  const t = useTexts(commonMessages);
  return (
    <Page title={t('failed_title')}>
      <div className="stack">
        <Notice kind="error">{t('failed')}</Notice>
        <div className="buttons">
          <Button look="primary" onPress={onRetry}>
            {t('retry')}
          </Button>
          <Button onPress={() => location.reload()}>{t('reload')}</Button>
        </div>
      </div>
    </Page>
  );
}
