import { Link } from '@tanstack/react-router';
import {
  DarkThemeIcon,
  type Icon,
  KeysIcon,
  LightThemeIcon,
  SettingsIcon,
  SignOutIcon,
  SystemThemeIcon,
} from '../ui/icons.ts';
import { places, placesShown } from '../features/places/places.ts';
import type { Session } from '../features/session/organization.ts';
import * as m from '../messages/account.ts';
import { cx } from '../ui/cx.ts';
import { Kbd } from '../ui/Kbd.tsx';
import { MenuButton, MenuList, menuStyles } from '../ui/MenuList.tsx';
import { Popover } from '../ui/Popover.tsx';
import { setTheme, themes, useTheme, type Theme } from './theme.ts';
import styles from './UserMenu.module.css';

const icons: Readonly<Record<Theme, Icon>> = { system: SystemThemeIcon, light: LightThemeIcon, dark: DarkThemeIcon };

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
      label={m.account}
      renderTrigger={(props) => (
        <button
          type="button"
          {...props}
          className={styles.user}
          aria-label={m.accountOf({ name: session.user.name || session.user.email })}
        >
          <span className={styles.avatar} translate="no" aria-hidden="true">
            {(session.user.name || session.user.email).slice(0, 1).toUpperCase()}
          </span>
          <span className={styles.name} translate="no">
            {session.user.name || session.user.email}
          </span>
        </button>
      )}
    >
      {(close) => (
        <MenuList label={m.account}>
          <p className={styles.who} translate="no">
            <strong>{session.user.name}</strong>
            <span>{session.user.email}</span>
          </p>
          <div className={menuStyles.rule} />
          <fieldset className={styles.themes} aria-label={m.theme}>
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
                  {m.themes[each]}
                </button>
              );
            })}
          </fieldset>
          <div className={menuStyles.rule} />
          {placesShown('wide')
            .filter((id) => id !== 'settings')
            .map((id) => {
              const { to, icon: Icon, label } = places[id];
              return (
                <Link key={id} to={to} className={cx(menuStyles.item, styles.narrow)} onClick={close}>
                  <Icon size={14} />
                  {label}
                </Link>
              );
            })}
          <Link to={places.settings.to} className={menuStyles.item} onClick={close}>
            <SettingsIcon size={14} />
            {places.settings.label}
          </Link>
          <MenuButton
            icon={<KeysIcon size={14} />}
            end={<Kbd keys="?" />}
            onClick={() => {
              close();
              onHelp();
            }}
          >
            {m.shortcuts}
          </MenuButton>
          <MenuButton icon={<SignOutIcon size={14} />} onClick={onSignOut}>
            {m.signOut}
          </MenuButton>
          <p className={styles.version}>{m.version({ version: session.serverVersion })}</p>
        </MenuList>
      )}
    </Popover>
  );
}
