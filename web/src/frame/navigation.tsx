import {
  Award,
  CalendarCheck,
  ChartColumn,
  CircleUser,
  FolderOpen,
  GraduationCap,
  History,
  Hourglass,
  House,
  Inbox,
  ListChecks,
  type LucideIcon,
  Trash2,
  Users,
  Webhook,
} from 'lucide-react';
import { Link, useLocation } from 'wouter';
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
  /** Only in the account menu, on every screen. */
  isInMenu?: boolean;
};

const userItems: readonly NavItem[] = [
  { name: 'today', Icon: CalendarCheck, letter: 't' },
  { name: 'projects', Icon: FolderOpen, letter: 'p' },
  { name: 'records', Icon: History, letter: 'r' },
  { name: 'statistics', Icon: ChartColumn, letter: 's' },
  { name: 'awards', Icon: Award, letter: 'a' },
  { name: 'trash', Icon: Trash2, letter: 'd', isRare: true },
  { name: 'me', Icon: CircleUser, letter: 'm', isRare: true },
];
const adminItems: readonly NavItem[] = [
  { name: 'today', text: 'home', Icon: House, letter: 'h' },
  { name: 'assign', Icon: ListChecks, letter: 'a' },
  { name: 'students', Icon: GraduationCap, letter: 'p' },
  { name: 'users', Icon: CircleUser, letter: 'u' },
  { name: 'groups', Icon: Users, letter: 'g', isRare: true },
  { name: 'inbox', Icon: Inbox, letter: 'i' },
  { name: 'audit', Icon: History, letter: 'l', isRare: true },
  { name: 'webhooks', Icon: Webhook, letter: 'w', isInMenu: true },
  { name: 'backgroundWork', Icon: Hourglass, letter: 'b', isInMenu: true },
];

export const navItemsOf = (role: 'user' | 'admin'): readonly NavItem[] => (role === 'user' ? userItems : adminItems);

export function Navigation({ role }: { role: 'user' | 'admin' }) {
  const t = useTexts(frameMessages);
  return (
    <nav aria-label={t('navigation')} className={styles.nav}>
      {navItemsOf(role)
        .filter(({ isInMenu = false }) => !isInMenu)
        .map((item) => (
          <NavLink key={item.name} item={item} text={t(item.text ?? item.name)} />
        ))}
    </nav>
  );
}

function NavLink({ item: { name, Icon, isRare = false }, text }: { item: NavItem; text: string }) {
  const [location] = useLocation();
  const to = href(name);
  const isHere = to === '/' ? location === '/' : location.startsWith(to);
  return (
    <Link
      href={to}
      className={cx(styles.item, isHere && styles.here, isRare && styles.rare)}
      aria-current={isHere ? 'page' : undefined}
    >
      <Icon size={20} aria-hidden="true" />
      <span>{text}</span>
    </Link>
  );
}
