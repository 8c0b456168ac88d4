import {
  Award,
  CalendarDays,
  ChartNoAxesColumn,
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
import { useTexts } from '../lib/texts.ts';
import { href, type RouteName } from '../routes.ts';
import styles from './frame.module.css';
import { frameMessages } from './messages.ts';

export type NavItem = {
  name: RouteName & keyof typeof frameMessages;
  /** The text's key if it differs from the name. */
  text?: 'home';
  Icon: LucideIcon;
  /** Opens the page after `g`. */
  letter?: string;
  /** On a phone, only in the account menu. */
  isRare?: boolean;
  /** Not in the navigation. */
  isHidden?: boolean;
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
  { name: 'inbox', Icon: Inbox, letter: 'i' },
  { name: 'students', Icon: Users, letter: 'p' },
  { name: 'groups', Icon: School, letter: 'g' },
  { name: 'projects', Icon: Layers, letter: 'o', isRare: true },
  { name: 'assign', Icon: ListChecks, letter: 'a' },
  { name: 'users', Icon: KeyRound, letter: 'u', isRare: true },
  { name: 'audit', Icon: History, letter: 'l', isRare: true },
  { name: 'webhooks', Icon: Webhook, letter: 'w', isHidden: true },
  { name: 'backgroundWork', Icon: Hourglass, letter: 'b', isHidden: true },
];

export const navItemsOf = (role: 'user' | 'admin'): readonly NavItem[] => (role === 'user' ? userItems : adminItems);

export function Navigation({ role }: { role: 'user' | 'admin' }) {
  const t = useTexts(frameMessages);
  const open = useOpenRequestCount(role === 'admin');
  return (
    <nav aria-label={t('navigation')} className={styles.nav}>
      {navItemsOf(role)
        .filter(({ isHidden = false }) => !isHidden)
        .map((item) => (
          <NavLink
            key={item.name}
            item={item}
            text={t(item.text ?? item.name)}
            {...(item.name === 'inbox' && open > 0 && { count: open, hint: t('open_requests', { count: open }) })}
          />
        ))}
    </nav>
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
      <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
      <span>{text}</span>
      {count !== undefined && (
        <b className={styles.count} aria-hidden="true">
          {count > maxCount ? `${maxCount}+` : count}
        </b>
      )}
    </Link>
  );
}
