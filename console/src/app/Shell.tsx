import { Link, Outlet, useNavigate, useRouteContext, useRouter, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { offerCommand, useCommand } from '../features/commands/commands.ts';
import { keepTyped } from '../ui/typing.ts';
import { startLive } from '../features/live/live.ts';
import { goTo, mayOpen, placeIds, places, placesShown, tipOf, type PlaceId } from '../features/places/places.ts';
import { SessionContext } from '../features/session/organization.ts';
import * as m from '../messages/app.ts';
import { cx } from '../ui/cx.ts';
import { SearchIcon } from '../ui/icons.ts';
import { Kbd } from '../ui/Kbd.tsx';
import { Logo } from '../ui/Logo.tsx';
import { afterContent, useContentShown } from './content.ts';
import { startReporting } from './report.ts';
import styles from './Shell.module.css';

const loadPalette = async () => ({ default: (await import('./Palette.tsx')).Palette });
const Palette = lazy(loadPalette);
// What nobody needs before the content.
const WatchNews = lazy(async () => ({ default: (await import('../features/find/WatchNews.tsx')).WatchNews }));
const UserMenu = lazy(async () => ({ default: (await import('./UserMenu.tsx')).UserMenu }));
const Toaster = lazy(async () => ({ default: (await import('../ui/Toaster.tsx')).Toaster }));
const Offline = lazy(async () => ({ default: (await import('./Connection.tsx')).Offline }));
const LiveState = lazy(async () => ({ default: (await import('./Connection.tsx')).LiveState }));
const Help = lazy(async () => ({ default: (await import('./Help.tsx')).Help }));

/** The frame of every signed-in page: rail, live stream, commands that work everywhere. */
export function Shell() {
  const { session, self } = useRouteContext({ from: '/shell' });
  const mayCreateProjects = session.organization.access.includes('project:write');
  const navigate = useNavigate();
  const router = useRouter();
  const [open, setOpen] = useState<'palette' | 'help' | undefined>();
  const close = (): void => setOpen(undefined);
  const openPalette = (): void => {
    if (open !== 'palette') keepTyped(close, loadPalette());
    setOpen('palette');
  };
  const isContentShown = useContentShown();

  const { slug, access } = session.organization;
  useEffect(() => startLive(slug), [slug]);
  useEffect(() => startReporting(router, self.consoleDsn), [self, router]);

  useEffect(() => afterContent(() => void loadPalette().catch(() => undefined)), []);

  useCommand('palette', openPalette);
  useCommand('help', () => setOpen('help'));
  // The page that has the box itself offers the same command later, and thereby first.
  useCommand('find', openPalette);
  useEffect(() => {
    const offered = placeIds.filter((id) => mayOpen(id, access) && (id !== 'newProject' || mayCreateProjects));
    const ends = offered.map((id) => offerCommand(goTo(id), () => void navigate({ to: places[id].to })));
    return () => {
      for (const end of ends) end();
    };
  }, [navigate, access, mayCreateProjects]);

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
            <output className={styles.live}>
              <Suspense>{isContentShown && <LiveState />}</Suspense>
            </output>
            <Suspense>{isContentShown && <UserMenu session={session} onHelp={() => setOpen('help')} />}</Suspense>
          </div>
        </nav>
        <main id="main" className={styles.main} tabIndex={-1}>
          <output className={styles.offline}>
            <Suspense>{isContentShown && <Offline />}</Suspense>
          </output>
          <Outlet />
        </main>
      </div>
      <Suspense>{isContentShown && <Toaster />}</Suspense>
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
        data-tip={tipOf(id)}
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
