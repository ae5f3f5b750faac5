import { onlineManager, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useRouteContext, useRouter, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { offerCommand, useCommand } from '../features/commands/commands.ts';
import { goTo, withKey } from '../features/commands/shortcuts.ts';
import { keepTyped } from '../ui/typing.ts';
import { startLive, useLiveStatus } from '../features/live/live.ts';
import { placeIds, places, placesShown, type PlaceId } from '../features/places/places.ts';
import { SessionContext } from '../features/session/organization.ts';
import { signOut } from '../features/session/queries.ts';
import { themes as themeNames } from '../messages/account.ts';
import * as m from '../messages/app.ts';
import { cx } from '../ui/cx.ts';
import { OfflineIcon, SearchIcon } from '../ui/icons.ts';
import { Kbd } from '../ui/Kbd.tsx';
import { Logo } from '../ui/Logo.tsx';
import { preloadToasts, Toaster } from '../ui/Toaster.tsx';
import { Time } from '../ui/Time.tsx';
import { toast } from '../ui/toasts.ts';
import { afterContent, useContentShown } from './content.ts';
import { startReporting } from './report.ts';
import styles from './Shell.module.css';
import { setTheme, themes, useTheme } from './theme.ts';

const loadPalette = async () => ({ default: (await import('./Palette.tsx')).Palette });
const Palette = lazy(loadPalette);
const WatchNews = lazy(() =>
  import('../features/find/WatchNews.tsx').then((module) => ({ default: module.WatchNews })),
);
const UserMenu = lazy(() => import('./UserMenu.tsx').then((module) => ({ default: module.UserMenu })));
const Help = lazy(() => import('./Help.tsx').then((module) => ({ default: module.Help })));

const subscribeOnline = (listener: () => void): (() => void) => onlineManager.subscribe(listener);

/** The frame of every signed-in page: rail, live stream, commands that work everywhere. */
export function Shell() {
  const { session, self } = useRouteContext({ from: '/shell' });
  const navigate = useNavigate();
  const router = useRouter();
  const queries = useQueryClient();
  const theme = useTheme();
  const [open, setOpen] = useState<'palette' | 'help' | undefined>();
  const close = (): void => setOpen(undefined);
  const openPalette = (): void => {
    if (open !== 'palette') keepTyped(close, loadPalette());
    setOpen('palette');
  };
  const isContentShown = useContentShown();
  const isOnline = useSyncExternalStore(subscribeOnline, () => onlineManager.isOnline());

  useEffect(() => startLive(session.organization.slug), [session.organization.slug]);
  useEffect(() => startReporting(router, self.consoleDsn), [self, router]);

  useEffect(
    () =>
      afterContent(() => {
        preloadToasts();
        void loadPalette().catch(() => undefined);
      }),
    [],
  );

  useCommand('palette', openPalette);
  useCommand('help', () => setOpen('help'));
  // The page that has the box itself offers the same command later, and thereby first.
  useCommand('find', openPalette);
  useEffect(() => {
    const ends = placeIds.map((id) => offerCommand(goTo(id), () => void navigate({ to: places[id].to })));
    return () => {
      for (const end of ends) end();
    };
  }, [navigate]);
  useCommand('theme', () => {
    const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
    setTheme(next);
    toast(m.themeNow({ theme: themeNames[next] }));
  });

  const leave = async (): Promise<void> => {
    try {
      await signOut();
    } catch (error) {
      toast(m.signOutFailed({ reason: error instanceof Error ? error.message : String(error) }), { kind: 'failed' });
      return;
    }
    queries.clear();
    await router.invalidate();
  };

  return (
    <SessionContext value={session}>
      <a className={styles.skip} href="#main">
        {m.skip}
      </a>
      <div className={styles.shell}>
        <nav className={styles.rail} aria-label={m.main}>
          <Link to="/" className={styles.brand} aria-label={m.home({ organization: session.organization.name })}>
            <Logo />
            <span className={styles.brandName} translate="no">
              {session.organization.name}
            </span>
          </Link>
          <button type="button" className={styles.find} onClick={openPalette} aria-label={m.findOrCommand}>
            <SearchIcon size={14} />
            <span>{m.find}</span>
            <Kbd keys="/" />
          </button>
          <ul className={styles.links}>
            {placesShown('rail', 'wide', 'narrow').map((id) => (
              <RailLink key={id} id={id} />
            ))}
          </ul>
          <div className={styles.foot}>
            <LiveState />
            <Suspense>
              {isContentShown && (
                <UserMenu session={session} onHelp={() => setOpen('help')} onSignOut={() => void leave()} />
              )}
            </Suspense>
          </div>
        </nav>
        <main id="main" className={styles.main} tabIndex={-1}>
          <output className={styles.offline}>
            {!isOnline && (
              <>
                <OfflineIcon size={14} /> {m.offline}
              </>
            )}
          </output>
          <Outlet />
        </main>
      </div>
      <Toaster />
      <Suspense>{isContentShown && <WatchNews />}</Suspense>
      <Suspense>
        {open === 'palette' && <Palette onClose={close} />}
        {open === 'help' && <Help onClose={close} />}
      </Suspense>
    </SessionContext>
  );
}

function RailLink({ id }: { readonly id: PlaceId }) {
  const { to, within = to, icon: Icon, label, short = label, shown } = places[id];
  const active = useRouterState({
    select: ({ location: { pathname } }) =>
      pathname === within || (within !== '/' && pathname.startsWith(`${within}/`)),
  });
  return (
    <li className={shown === 'rail' ? undefined : styles[shown ?? '']}>
      <Link
        to={to}
        className={cx(styles.link, active && styles.active)}
        aria-current={active ? 'page' : undefined}
        data-tip={withKey(label, goTo(id))}
      >
        <Icon size={16} />
        {short === label ? (
          <span>{label}</span>
        ) : (
          <>
            <span className={styles.long}>{label}</span>
            <span className={styles.narrow} aria-hidden="true">
              {short}
            </span>
          </>
        )}
      </Link>
    </li>
  );
}

/** Nothing while all is well: only a lost stream is worth a word. */
function LiveState() {
  const { status, lostAt } = useLiveStatus();
  return (
    <output className={styles.live}>
      {status === 'lost' && (
        <span data-tip={m.streamLost}>
          <OfflineIcon size={14} /> <span>{m.asOf({ when: <Time at={lostAt} /> })}</span>
        </span>
      )}
    </output>
  );
}
