import { Search } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import palette from '../features/palette/palette.module.css';
import { cx } from '../lib/cx.ts';
import { loadable } from '../lib/loadable.tsx';
import { useIsLimited } from '../lib/session.ts';
import type { Locale } from '../lib/settings.ts';
import { isMac, shortcuts, useShortcuts } from '../lib/shortcuts.ts';
import { useTexts } from '../lib/texts.ts';
import { href } from '../routes.ts';
import { Button } from '../ui/button.tsx';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { Modal, takeFocus } from '../ui/modal.tsx';
import { frameMessages } from './messages.ts';
import { navItemsOf } from './navigation.tsx';
import styles from './tools.module.css';

const Palette = loadable(() => import('../features/palette/palette.tsx'));

type Props = { role: 'user' | 'admin'; onLocale: (locale: Locale) => void; onSignOut: () => void };

/** The search button and the global shortcuts. The palette is loaded when first opened. */
export function Commands({ role, ...commands }: Props) {
  const t = useTexts(frameMessages);
  const isLimited = useIsLimited();
  const [, navigate] = useLocation();
  const [wanted, setWanted] = useState<'all' | 'start'>();
  const [typed, setTyped] = useState('');
  const opener = useRef<Element>(null);

  function open(what: 'all' | 'start'): void {
    opener.current = document.activeElement;
    setTyped('');
    setWanted(what);
  }
  /** Restores the focus unless the command has moved it. */
  function close(): void {
    setWanted(undefined);
    requestAnimationFrame(() => {
      if (document.activeElement === document.body && opener.current instanceof HTMLElement) opener.current.focus();
    });
  }
  const search = () => open('all');
  useShortcuts({
    [shortcuts.palette]: search,
    [shortcuts.search]: search,
    [shortcuts.help]: () => navigate(href('help')),
    ...Object.fromEntries(
      navItemsOf(role, isLimited).map(({ name, letter }) => [`g ${letter}`, () => navigate(href(name))]),
    ),
    ...(role === 'user' && {
      [shortcuts.other]: () => open('start'),
      [shortcuts.record]: () => navigate(`${href('records')}?add`),
    }),
  });
  return (
    <>
      <div className={cx(styles.find)}>
        <Button
          look="quiet"
          icon={<Search size={18} strokeWidth={1.75} />}
          aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
          onPress={search}
        >
          <span>{t('search')}</span>
          <kbd>{isMac ? '⌘ K' : 'Ctrl K'}</kbd>
        </Button>
      </div>
      {wanted !== undefined && (
        <ErrorBoundary fallback={() => null}>
          <Suspense fallback={<Waiting label={t('search')} typed={typed} onType={setTyped} onClose={close} />}>
            <Palette {...commands} role={role} wanted={wanted} typed={typed} onType={setTyped} onClose={close} />
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  );
}

type WaitingProps = { label: string; typed: string; onType: (text: string) => void; onClose: () => void };

/** Accepts input while the palette loads, so that keys are not taken as shortcuts. */
function Waiting({ label, typed, onType, onClose }: WaitingProps) {
  return (
    <Modal aria-label={label} className={cx(palette.overlay)} onClose={onClose}>
      <div className={palette.modal}>
        <input
          ref={takeFocus}
          type="search"
          aria-label={label}
          value={typed}
          className={palette.input}
          onChange={(event) => onType(event.target.value)}
        />
      </div>
    </Modal>
  );
}
