import { Component, type ReactNode } from 'react';
import { commonMessages } from '../lib/messages.ts';
import { useTexts } from '../lib/texts.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

type Props = {
  fallback: ReactNode;
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

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}

/** Code could not be loaded, offline or because a newer version was deployed. */
export function Failed() {
  const t = useTexts(commonMessages);
  return (
    <>
      <Notice kind="error">{t('failed')}</Notice>
      <Button look="primary" onPress={() => location.reload()}>
        {t('reload')}
      </Button>
    </>
  );
}
