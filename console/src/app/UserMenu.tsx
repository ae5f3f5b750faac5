import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import {
  AccountIcon,
  DarkThemeIcon,
  type Icon,
  KeysIcon,
  LightThemeIcon,
  SettingsIcon,
  SignOutIcon,
  SystemThemeIcon,
} from '../ui/icons.ts';
import { useChooseTheme } from '../features/account/choose-theme.ts';
import { themes, useTheme, type Theme } from '../ui/theme.ts';
import { useCommand } from '../features/commands/commands.ts';
import { places, placesShown } from '../features/places/places.ts';
import type { Session } from '../features/session/organization.ts';
import { signOut } from '../features/session/queries.ts';
import { switchOrganization } from '../features/session/switch-organization.ts';
import * as m from '../messages/account.ts';
import { cx } from '../ui/cx.ts';
import { Kbd } from '../ui/Kbd.tsx';
import { MenuButton, MenuList, menuStyles } from '../ui/MenuList.tsx';
import { Popover } from '../ui/Popover.tsx';
import { toast } from '../ui/toasts.ts';
import styles from './UserMenu.module.css';

const icons: Readonly<Record<Theme, Icon>> = { system: SystemThemeIcon, light: LightThemeIcon, dark: DarkThemeIcon };

export function UserMenu({ session, onHelp }: { readonly session: Session; readonly onHelp: () => void }) {
  const theme = useTheme();
  const choose = useChooseTheme();
  const leave = useSignOut();
  useCommand('theme', () => {
    const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
    choose(next);
    toast(m.themeNow({ theme: m.themes[next] }));
  });
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
          {session.organizations.length > 1 && (
            <>
              <div className={menuStyles.rule} />
              <fieldset aria-label={m.organizations}>
                {session.organizations.map(({ id, slug, name }) => (
                  <MenuButton
                    key={id}
                    current={id === session.organization.id}
                    onClick={() => switchOrganization(slug)}
                  >
                    <span translate="no">{name}</span>
                  </MenuButton>
                ))}
              </fieldset>
            </>
          )}
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
                  onClick={() => choose(each)}
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
          <Link to={places.account.to} className={menuStyles.item} onClick={close}>
            <AccountIcon size={14} />
            {places.account.label}
          </Link>
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
          <MenuButton icon={<SignOutIcon size={14} />} onClick={() => void leave()}>
            {m.signOut}
          </MenuButton>
          <p className={styles.version}>{m.version({ version: session.serverVersion })}</p>
        </MenuList>
      )}
    </Popover>
  );
}

function useSignOut(): () => Promise<void> {
  const router = useRouter();
  const queries = useQueryClient();
  return async () => {
    try {
      await signOut();
    } catch (error) {
      toast(m.signOutFailed({ reason: error instanceof Error ? error.message : String(error) }), { kind: 'failed' });
      return;
    }
    queries.clear();
    await router.invalidate();
  };
}
