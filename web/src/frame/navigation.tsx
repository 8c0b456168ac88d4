import {
  Award,
  CalendarDays,
  CalendarRange,
  ChartNoAxesColumn,
  Ellipsis,
  History,
  Hourglass,
  House,
  Inbox,
  KeyRound,
  Layers,
  ListChecks,
  type LucideIcon,
  School,
  Settings,
  SunMedium,
  Trash2,
  Users,
  Webhook,
} from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { useOpenRequestCount } from '../features/inbox/open-request-count.ts';
import { cx } from '../lib/cx.ts';
import { useIsLimited } from '../lib/session.ts';
import { useTexts } from '../lib/texts.ts';
import { href, type RouteName } from '../routes.ts';
import { Menu } from '../ui/menu.tsx';
import { frameMessages } from './messages.ts';
import styles from './navigation.module.css';

export type NavItem = {
  name: RouteName & keyof typeof frameMessages;
  /** The text's key if it differs from the name. */
  text?: 'home';
  Icon: LucideIcon;
  /** Opens the page after `g`. */
  letter?: string;
  /** On a phone, under More. */
  isRare?: boolean;
  /** Not in the navigation. */
  isHidden?: boolean;
  /** For administrators of the whole school. */
  isForSchool?: boolean;
};

const userItems: readonly NavItem[] = [
  { name: 'today', Icon: SunMedium, letter: 't' },
  { name: 'records', Icon: CalendarDays, letter: 'r' },
  { name: 'projects', Icon: Layers, letter: 'p' },
  { name: 'statistics', Icon: ChartNoAxesColumn, letter: 's' },
  { name: 'awards', Icon: Award, letter: 'a' },
  { name: 'trash', Icon: Trash2, letter: 'd', isHidden: true },
  { name: 'me', Icon: Settings, letter: 'm', isHidden: true },
];
const adminItems: readonly NavItem[] = [
  { name: 'today', text: 'home', Icon: House, letter: 'h' },
  { name: 'inbox', Icon: Inbox, letter: 'i', isForSchool: true },
  { name: 'students', Icon: Users, letter: 'p' },
  { name: 'groups', Icon: School, letter: 'g' },
  { name: 'schoolYear', Icon: CalendarRange, letter: 'y', isRare: true },
  { name: 'projects', Icon: Layers, letter: 'o', isRare: true },
  { name: 'assign', Icon: ListChecks, letter: 'a', isRare: true },
  { name: 'users', Icon: KeyRound, letter: 'u', isRare: true },
  { name: 'audit', Icon: History, letter: 'l', isRare: true, isForSchool: true },
  { name: 'webhooks', Icon: Webhook, letter: 'w', isHidden: true, isForSchool: true },
  { name: 'backgroundWork', Icon: Hourglass, letter: 'b', isHidden: true, isForSchool: true },
];

/** Without what a limited administrator cannot open. */
export const navItemsOf = (role: 'user' | 'admin', isLimited: boolean): readonly NavItem[] =>
  (role === 'user' ? userItems : adminItems).filter(({ isForSchool = false }) => !(isForSchool && isLimited));

export function Navigation({ role }: { role: 'user' | 'admin' }) {
  const t = useTexts(frameMessages);
  const isLimited = useIsLimited();
  const open = useOpenRequestCount(role === 'admin' && !isLimited);
  return (
    <nav aria-label={t('navigation')} className={styles.nav}>
      {navItemsOf(role, isLimited)
        .filter(({ isHidden = false }) => !isHidden)
        .map((item) => (
          <NavLink
            key={item.name}
            item={item}
            text={t(item.text ?? item.name)}
            {...(item.name === 'inbox' && open > 0 && { count: open, hint: t('open_requests', { count: open }) })}
          />
        ))}
      {role === 'admin' && <More />}
    </nav>
  );
}

/** On a phone, the pages that have no place beside the others. */
function More() {
  const t = useTexts(frameMessages);
  const [, navigate] = useLocation();
  const items = navItemsOf('admin', useIsLimited()).filter(
    ({ isRare = false, isHidden = false }) => isRare || isHidden,
  );
  return (
    <div className={cx(styles.more)}>
      <Menu
        label={t('more')}
        trigger={{
          look: 'quiet',
          children: (
            <>
              <Ellipsis size={18} strokeWidth={1.75} />
              <span>{t('more')}</span>
            </>
          ),
        }}
        entries={items.map(({ name, text, Icon }) => ({
          id: name,
          text: t(text ?? name),
          icon: <Icon size={18} strokeWidth={1.75} />,
        }))}
        onAction={(action) => {
          const item = items.find(({ name }) => name === action);
          if (item !== undefined) navigate(href(item.name));
        }}
      />
    </div>
  );
}

type LinkProps = {
  item: NavItem;
  text: string;
  /** What waits there; `hint` says it in words. */
  count?: number;
  hint?: string;
};
const maxCount = 99;

function NavLink({ item: { name, Icon, isRare = false }, text, count, hint }: LinkProps) {
  const [location] = useLocation();
  const to = href(name);
  const isHere = to === '/' ? location === '/' : location.startsWith(to);
  return (
    <Link
      href={to}
      title={hint ?? text}
      className={cx(styles.item, isHere && styles.here, isRare && styles.rare)}
      aria-current={isHere ? 'page' : undefined}
    >
      <Icon size={18} strokeWidth={1.75} />
      <span>{text}</span>
      {count !== undefined && (
        <b className={styles.count} aria-hidden="true">
          {count > maxCount ? `${maxCount}+` : count}
        </b>
      )}
    </Link>
  );
}
