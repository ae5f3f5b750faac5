import { onlineManager, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useRouteContext, useRouter, useRouterState } from '@tanstack/react-router';
import {
  Activity,
  Bell,
  Bug,
  ChartLine,
  FolderCode,
  Gauge,
  MessageSquare,
  Package,
  Search,
  Settings,
  Waypoints,
  WifiOff,
  Zap,
} from 'lucide-react';
import { lazy, Suspense, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import { useCommand, withKey } from '../features/commands/commands.ts';
import { keepTyped } from '../features/commands/typing.ts';
import { startLive, useLiveStatus } from '../features/live/live.ts';
import { SessionContext } from '../features/session/organization.ts';
import { signOut } from '../features/session/queries.ts';
import { cx } from '../ui/cx.ts';
import { Kbd } from '../ui/Kbd.tsx';
import { Logo } from '../ui/Logo.tsx';
import { Toaster } from '../ui/Toaster.tsx';
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
    // They lie above everything else.
    for (const chooser of document.querySelectorAll<HTMLElement>('[popover]:popover-open')) chooser.hidePopover();
    if (open !== 'palette') keepTyped(close, loadPalette());
    setOpen('palette');
  };
  const isContentShown = useContentShown();
  const isOnline = useSyncExternalStore(subscribeOnline, () => onlineManager.isOnline());

  useEffect(() => startLive(session.organization.slug), [session.organization.slug]);
  useEffect(() => startReporting(router, self.consoleDsn), [self, router]);

  useEffect(() => afterContent(() => void loadPalette().catch(() => undefined)), []);

  useCommand('palette', openPalette);
  useCommand('help', () => setOpen('help'));
  useCommand('go.now', () => void navigate({ to: '/' }));
  useCommand('go.issues', () => void navigate({ to: '/issues' }));
  useCommand('go.traces', () => void navigate({ to: '/traces' }));
  useCommand('go.performance', () => void navigate({ to: '/performance' }));
  useCommand('go.explore', () => void navigate({ to: '/explore' }));
  useCommand('go.vitals', () => void navigate({ to: '/performance/vitals' }));
  useCommand('go.releases', () => void navigate({ to: '/releases' }));
  useCommand('go.alerts', () => void navigate({ to: '/alerts' }));
  useCommand('go.feedback', () => void navigate({ to: '/feedback' }));
  useCommand('go.projects', () => void navigate({ to: '/projects' }));
  useCommand('go.health', () => void navigate({ to: '/health' }));
  useCommand('go.settings', () => void navigate({ to: '/settings/tokens' }));
  // The page that has the box itself offers the same command later, and thereby first.
  useCommand('find', openPalette);
  useCommand('go.find', () => void navigate({ to: '/find' }));
  useCommand('theme', () => {
    const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
    setTheme(next);
    toast(`Theme: ${next}`);
  });

  const leave = async (): Promise<void> => {
    try {
      await signOut();
    } catch (error) {
      toast(`Signing out failed: ${error instanceof Error ? error.message : String(error)}`, { kind: 'failed' });
      return;
    }
    queries.clear();
    await router.invalidate();
  };

  return (
    <SessionContext value={session}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <div className={styles.shell}>
        <nav className={styles.rail} aria-label="Main">
          <Link to="/" className={styles.brand} aria-label="Culprit, now">
            <Logo />
            <span className={styles.brandName}>{session.organization.name}</span>
          </Link>
          <button type="button" className={styles.search} onClick={openPalette} aria-label="Find or command">
            <Search size={14} />
            <span>Find</span>
            <Kbd keys="/" />
          </button>
          <ul className={styles.links}>
            <RailLink to="/find" icon={<Search size={16} />} label="Find" command="go.find" shown="narrow" />
            <RailLink to="/" icon={<Zap size={16} />} label="Now" command="go.now" />
            <RailLink to="/issues" icon={<Bug size={16} />} label="Issues" command="go.issues" />
            <RailLink to="/traces" icon={<Waypoints size={16} />} label="Traces" command="go.traces" />
            <RailLink
              to="/performance"
              icon={<Gauge size={16} />}
              label="Performance"
              short="Perf"
              command="go.performance"
            />
            <RailLink to="/explore" icon={<ChartLine size={16} />} label="Explore" command="go.explore" shown="wide" />
            <RailLink to="/releases" icon={<Package size={16} />} label="Releases" command="go.releases" />
            <RailLink to="/alerts" icon={<Bell size={16} />} label="Alerts" command="go.alerts" />
            <RailLink
              to="/feedback"
              icon={<MessageSquare size={16} />}
              label="Feedback"
              command="go.feedback"
              shown="wide"
            />
            <RailLink
              to="/projects"
              icon={<FolderCode size={16} />}
              label="Projects"
              command="go.projects"
              shown="wide"
            />
            <RailLink to="/health" icon={<Activity size={16} />} label="Health" command="go.health" shown="wide" />
            <RailLink
              to="/settings/tokens"
              match="/settings"
              icon={<Settings size={16} />}
              label="Settings"
              command="go.settings"
              shown="wide"
            />
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
                <WifiOff size={14} /> You are offline. This page shows what was loaded before and updates when you
                reconnect.
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

function RailLink({
  to,
  match = to,
  icon,
  label,
  short = label,
  command,
  shown,
}: {
  readonly to:
    | '/'
    | '/find'
    | '/issues'
    | '/traces'
    | '/performance'
    | '/explore'
    | '/releases'
    | '/alerts'
    | '/feedback'
    | '/projects'
    | '/health'
    | '/settings/tokens';
  readonly match?: string;
  readonly icon: ReactNode;
  readonly label: string;
  /** Where the rail is a bar. */
  readonly short?: string;
  readonly command: Parameters<typeof withKey>[1];
  /** Only where the rail has no room for the box, or only where it is no bar. */
  readonly shown?: 'narrow' | 'wide';
}) {
  const active = useRouterState({
    select: (state) =>
      state.location.pathname === match || (match !== '/' && state.location.pathname.startsWith(`${match}/`)),
  });
  return (
    <li className={shown && styles[shown]}>
      <Link
        to={to}
        className={cx(styles.link, active && styles.active)}
        aria-current={active ? 'page' : undefined}
        data-tip={withKey(label, command)}
      >
        {icon}
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
        <span data-tip="The stream of new events is interrupted. Pages show what was known; reconnecting.">
          <WifiOff size={14} />{' '}
          <span>
            as of <Time at={lostAt} />
          </span>
        </span>
      )}
    </output>
  );
}
