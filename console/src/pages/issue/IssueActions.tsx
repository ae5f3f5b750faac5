import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import {
  BriefIcon,
  DeleteIcon,
  DiscardIcon,
  type Icon,
  LinkIcon,
  MoreIcon,
  MuteIcon,
  NotifyIcon,
  PerformanceIcon,
  ReviewIcon,
  SettingsIcon,
  ShareIcon,
} from '../../ui/icons.ts';
import { useEffect, useRef, useState } from 'react';
import { useCommand } from '../../features/commands/commands.ts';
import { keyOf, type CommandId } from '../../features/commands/shortcuts.ts';
import type { Event } from '../../features/event/types.ts';
import { issueEventQuery, issueQuery, type IssueDetail } from '../../features/issues/queries.ts';
import { review, subscribe, type Action } from '../../features/triage/actions.ts';
import { changeIssues } from '../../features/triage/queries.ts';
import { type StateWords, stateWords } from '../../features/triage/state-words.ts';
import { alongTrail } from '../../features/triage/trail.ts';
import { TriageButtons } from '../../features/triage/TriageButtons.tsx';
import type { MenuKind } from '../../features/triage/TriageMenu.tsx';
import { useTriage } from '../../features/triage/use-triage.ts';
import { goBackToOrigin } from '../../features/triage/way-back.ts';
import { useTriageCommands } from '../../features/triage/use-triage-commands.ts';
import { useMay, useOrg, useSession } from '../../features/session/organization.ts';
import { Button } from '../../ui/Button.tsx';
import { copyText } from '../../ui/copy.ts';
import { lazily } from '../../ui/lazily.tsx';
import { Menu, MenuItem, MenuLink, MenuRule } from '../../ui/Menu.tsx';
import * as m from '../../messages/issue-actions.ts';
import { Text } from '../../ui/Text.tsx';
import { useNow } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts.ts';
import styles from './IssueHeader.module.css';

const loadBrief = () => import('./copy-brief.ts');
const TriageMenu = lazily(async () => (await import('../../features/triage/TriageMenu.tsx')).TriageMenu);
const ConfirmDelete = lazily(async () => (await import('../../features/triage/ConfirmDelete.tsx')).ConfirmDelete);
const EventLimitDialog = lazily(async () => (await import('./EventLimitDialog.tsx')).EventLimitDialog);
const ShareDialog = lazily(async () => (await import('./ShareDialog.tsx')).ShareDialog);

interface Props {
  readonly issue: IssueDetail;
  readonly event: Event | undefined;
}

/** How the issue stands, in words, and everything that can be done with it. */
export function IssueActions({ issue, event }: Props) {
  const how = stateText(stateWords(issue, useNow()));
  return (
    <>
      {how && (
        <Text tone="faint" small>
          {how}
        </Text>
      )}
      <Actions key={issue.id} issue={issue} event={event} />
    </>
  );
}

function stateText({ how, by: name }: StateWords): string {
  if (!name) return how;
  return how ? m.stateBy({ state: how, name }) : m.by({ name });
}

function Actions({ issue, event }: Props) {
  const org = useOrg();
  const navigate = useNavigate();
  const { act: triage } = useTriage();
  const [menu, setMenu] = useState<{ readonly kind: MenuKind; readonly anchor: Element } | undefined>();
  const [open, setOpen] = useState<'share' | 'limit' | 'delete' | 'discard' | undefined>();
  const bar = useRef<HTMLDivElement>(null);
  useNeighbours(org, issue);
  const may = useMay('event:write');
  const { shareLinks } = useSession().organization;
  const mayDelete = useMay('event:admin');
  const mayErase = useMay('org:admin');
  useSeen(org, issue, may);
  useEffect(() => TriageMenu.preload(), []);

  const go = (to: string): void =>
    void navigate({ to: '/issues/$issue', params: { issue: to }, search: {}, replace: true });
  const step = (by: 1 | -1): void => {
    const to = alongTrail(issue.shortId, by);
    if (to === undefined) toast(by > 0 ? m.lastInList : m.firstInList);
    else go(to);
  };
  useCommand('list.next', () => step(1));
  useCommand('list.previous', () => step(-1));
  useCommand('issue.back', () => {
    if (!goBackToOrigin()) void navigate({ to: '/issues', search: {} });
  });

  const act = (action: Action): void => {
    // What is done with goes; the next of the list comes.
    const isDone =
      issue.status === 'unresolved' && action.patch.status !== undefined && action.patch.status !== 'unresolved';
    const next = isDone ? alongTrail(issue.shortId, 1) : undefined;
    triage([issue], action, next === undefined ? undefined : () => go(issue.shortId));
    if (next !== undefined) go(next);
  };
  const openMenu = (
    kind: MenuKind,
    anchor = bar.current?.querySelector(`[data-menu="${kind}"]`) ?? bar.current,
  ): void => {
    if (anchor) setMenu({ kind, anchor });
  };
  useTriageCommands(() => [issue], act, openMenu);
  useCommand('issue.share', () => setOpen('share'), may);
  useCommand('issue.delete', () => setOpen('delete'), mayDelete);
  useCommand('issue.discard', () => setOpen('discard'), mayDelete);

  const link = `${location.origin}/issues/${issue.shortId}${event ? `?event=${event.eventID}` : ''}`;
  const copyLink = (): void => void copyText(link, m.linkCopied);
  const copyBrief = (): void => void (event && loadBrief().then((it) => it.copyBrief(org, issue.id, event.eventID)));
  // Ahead of the click: a clipboard opens only shortly after one.
  useEffect(() => void loadBrief().catch(() => undefined), []);
  useCommand('issue.copy-link', copyLink);
  useCommand('issue.copy-brief', copyBrief, event !== undefined);

  const item = (Icon: Icon, text: string, run: () => void, command?: CommandId) => (
    <MenuItem icon={<Icon size={14} />} end={command && keyOf(command)?.replace('+', ' ')} onSelect={run}>
      {text}
    </MenuItem>
  );
  return (
    <div className={styles.acts} ref={bar}>
      {may && <TriageButtons issue={issue} onAct={act} onMenu={openMenu} />}
      <Menu
        label={m.more}
        align="end"
        renderTrigger={(props) => (
          <Button {...props} size="small" variant="ghost" icon={<MoreIcon size={16} />} aria-label={m.more} />
        )}
      >
        {may &&
          (issue.isSubscribed
            ? item(MuteIcon, m.unsubscribe, () => act(subscribe(false)), 'issue.subscribe')
            : item(NotifyIcon, m.subscribe, () => act(subscribe(true)), 'issue.subscribe'))}
        {may &&
          issue.status === 'unresolved' &&
          issue.substatus !== 'ongoing' &&
          item(ReviewIcon, m.review, () => act(review), 'issue.review')}
        {item(LinkIcon, m.copyLink, copyLink, 'issue.copy-link')}
        {item(BriefIcon, m.copyBrief, copyBrief, 'issue.copy-brief')}
        {may &&
          (shareLinks || issue.isPublic) &&
          item(ShareIcon, issue.isPublic ? m.shared : m.share, () => setOpen('share'))}
        {may && issue.issueCategory === 'error' && item(PerformanceIcon, m.limit, () => setOpen('limit'))}
        <MenuLink
          icon={<SettingsIcon size={14} />}
          link={<Link to="/projects/$slug/settings" params={{ slug: issue.project.slug }} />}
        >
          {m.projectSettings}
        </MenuLink>
        {mayErase && event && (
          <MenuLink
            icon={<DeleteIcon size={14} />}
            link={
              <Link to="/settings/erase" search={{ kind: 'event', value: event.eventID, of: issue.project.slug }} />
            }
          >
            {m.eraseEvent}
          </MenuLink>
        )}
        {mayDelete && <MenuRule />}
        {mayDelete && item(DeleteIcon, m.remove, () => setOpen('delete'))}
        {mayDelete && item(DiscardIcon, m.discard, () => setOpen('discard'))}
      </Menu>
      {menu && <TriageMenu {...menu} targets={[issue]} onAct={act} onClose={() => setMenu(undefined)} />}
      {open === 'share' && <ShareDialog issue={issue} onClose={() => setOpen(undefined)} />}
      {open === 'limit' && <EventLimitDialog issue={issue} onClose={() => setOpen(undefined)} />}
      {(open === 'delete' || open === 'discard') && (
        <ConfirmDelete
          targets={[issue]}
          discard={open === 'discard'}
          onDone={() => void navigate({ to: '/issues', search: {} })}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  );
}

/** What comes next is there when it comes. */
function useNeighbours(org: string, { shortId }: IssueDetail): void {
  const { environment } = useSearch({ from: '/shell/issues/$issue' });
  const next = alongTrail(shortId, 1) ?? '';
  const options = { enabled: next !== '', refetchOnMount: false, refetchOnWindowFocus: false } as const;
  useQuery({ ...issueQuery(org, next, { environment }), ...options });
  useQuery({ ...issueEventQuery(org, next, 'recommended', '', { environment }), ...options });
}

/** Opening is seeing. */
function useSeen(org: string, { id }: IssueDetail, may: boolean): void {
  // Nobody waits for it, and the next visit says it again.
  useEffect(() => {
    if (may) void changeIssues(org, [id], { hasSeen: true }).catch(() => undefined);
  }, [org, id, may]);
}
