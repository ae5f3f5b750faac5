import { Link } from '@tanstack/react-router';
import {
  Activity,
  ChartLine,
  FolderCode,
  Keyboard,
  LogOut,
  MessageSquare,
  Monitor,
  Moon,
  Settings,
  Sun,
} from 'lucide-react';
import type { Session } from '../features/session/organization.ts';
import { cx } from '../ui/cx.ts';
import { Kbd } from '../ui/Kbd.tsx';
import { MenuButton, MenuList, menuStyles } from '../ui/Menu.tsx';
import { Popover } from '../ui/Popover.tsx';
import { setTheme, themes, useTheme, type Theme } from './theme.ts';
import styles from './UserMenu.module.css';

/** For which the rail has no room where it is a bar. */
const narrowLinks = [
  ['/explore', 'Explore', ChartLine],
  ['/feedback', 'Feedback', MessageSquare],
  ['/projects', 'Projects', FolderCode],
  ['/health', 'Health', Activity],
] as const;

const icons: Readonly<Record<Theme, typeof Sun>> = { system: Monitor, light: Sun, dark: Moon };
const names: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' };

export function UserMenu({
  session,
  onHelp,
  onSignOut,
}: {
  readonly session: Session;
  readonly onHelp: () => void;
  readonly onSignOut: () => void;
}) {
  const theme = useTheme();
  return (
    <Popover
      label="Account"
      renderTrigger={(props) => (
        <button
          type="button"
          {...props}
          className={styles.user}
          aria-label={`Account of ${session.user.name || session.user.email}`}
        >
          <span className={styles.avatar} aria-hidden="true">
            {(session.user.name || session.user.email).slice(0, 1).toUpperCase()}
          </span>
          <span className={styles.name}>{session.user.name || session.user.email}</span>
        </button>
      )}
    >
      {(close) => (
        <MenuList label="Account">
          <p className={styles.who}>
            <strong>{session.user.name}</strong>
            <span>{session.user.email}</span>
          </p>
          <div className={menuStyles.rule} />
          <fieldset className={styles.themes} aria-label="Theme">
            {themes.map((each) => {
              const Icon = icons[each];
              return (
                <button
                  key={each}
                  type="button"
                  className={cx(styles.theme, each === theme && styles.chosen)}
                  aria-pressed={each === theme}
                  onClick={() => setTheme(each)}
                >
                  <Icon size={14} />
                  {names[each]}
                </button>
              );
            })}
          </fieldset>
          <div className={menuStyles.rule} />
          {narrowLinks.map(([to, label, Icon]) => (
            <Link key={to} to={to} className={cx(menuStyles.item, styles.narrow)} onClick={close}>
              <Icon size={14} />
              {label}
            </Link>
          ))}
          <Link to="/settings/tokens" className={menuStyles.item} onClick={close}>
            <Settings size={14} />
            Settings
          </Link>
          <MenuButton
            icon={<Keyboard size={14} />}
            end={<Kbd keys="?" />}
            onClick={() => {
              close();
              onHelp();
            }}
          >
            Keyboard shortcuts
          </MenuButton>
          <MenuButton icon={<LogOut size={14} />} onClick={onSignOut}>
            Sign out
          </MenuButton>
          <p className={styles.version}>Culprit {session.serverVersion}</p>
        </MenuList>
      )}
    </Popover>
  );
}
