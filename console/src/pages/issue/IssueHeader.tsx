import { Link, useNavigate } from '@tanstack/react-router';
import { Archive, CheckCheck, Ellipsis, FileText, Link2, RotateCcw, Settings } from 'lucide-react';
import { useEffect } from 'react';
import { useCommand, withKey } from '../../features/commands/commands.ts';
import type { Event } from '../../features/event/types.ts';
import { issueWords } from '../../features/issues/issue-words.ts';
import type { IssueDetail, IssueStatus } from '../../features/issues/queries.ts';
import { statusWords, useSetStatus } from '../../features/issues/use-set-status.ts';
import { isHandled, shownExceptions } from '../../features/event/entries.ts';
import { Button } from '../../ui/Button.tsx';
import { copyText } from '../../ui/copy.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { Level } from '../../ui/Level.tsx';
import { MenuButton, MenuList } from '../../ui/Menu.tsx';
import { Popover } from '../../ui/Popover.tsx';
import styles from './IssueHeader.module.css';

const loadMarkdown = () => import('../../features/event/markdown.ts');

/** What it is, and what can be done with it. */
export function IssueHeader({ issue, event }: { readonly issue: IssueDetail; readonly event: Event | undefined }) {
  const navigate = useNavigate();
  const { setStatus, busy } = useSetStatus();
  const { name, text, place } = issueWords(issue);
  const open = issue.status === 'unresolved';
  const change = (status: IssueStatus): void =>
    setStatus({ issues: [issue], status: issue.status === status ? 'unresolved' : status });
  const link = (): string => `${location.origin}/issues/${issue.shortId}${event ? `?event=${event.eventID}` : ''}`;
  const copyLink = (): void => void copyText(link(), 'Link copied');
  const copyMarkdown = async (): Promise<void> => {
    if (!event) return;
    const { issueMarkdown } = await loadMarkdown();
    await copyText(issueMarkdown({ ...issue, url: link() }, event), 'Copied as Markdown');
  };
  // Ahead of the click: a clipboard opens only shortly after one.
  useEffect(() => void loadMarkdown().catch(() => undefined), []);
  const unhandled = event ? isHandled(shownExceptions(event)[0]?.exception) === false : issue.isUnhandled;

  useCommand('issue.resolve', () => change('resolved'));
  useCommand('issue.archive', () => change('ignored'));
  useCommand('issue.copy-link', copyLink);
  useCommand('issue.copy-markdown', () => void copyMarkdown(), event !== undefined);

  return (
    <header className={styles.header}>
      <div className={styles.crumbs}>
        <Link to="/issues" search={{ project: issue.project.slug }}>
          {issue.project.name}
        </Link>
        <span aria-hidden="true">/</span>
        <span className={styles.id}>{issue.shortId}</span>
        <CopyButton text={issue.shortId} label="Copy issue id" />
        <span className={styles.status}>
          {open ? (
            issue.substatus === 'new' || issue.substatus === 'regressed' ? (
              <Flag kind={issue.substatus} />
            ) : (
              <Flag kind="plain">unresolved</Flag>
            )
          ) : (
            <Flag kind={issue.status === 'resolved' ? 'resolved' : 'archived'} />
          )}
          {unhandled && <Flag kind="unhandled" />}
        </span>
        <div className={styles.actions}>
          {open ? (
            <Button
              variant="primary"
              size="small"
              busy={busy}
              icon={<CheckCheck size={14} />}
              tip={withKey('Resolve', 'issue.resolve')}
              onClick={() => change('resolved')}
            >
              Resolve
            </Button>
          ) : (
            <Button
              size="small"
              busy={busy}
              icon={<RotateCcw size={14} />}
              tip={withKey('Reopen', issue.status === 'resolved' ? 'issue.resolve' : 'issue.archive')}
              onClick={() => setStatus({ issues: [issue], status: 'unresolved' })}
            >
              {statusWords.unresolved.action}
            </Button>
          )}
          {issue.status !== 'ignored' && (
            <Button
              size="small"
              busy={busy}
              icon={<Archive size={14} />}
              tip={withKey('Archive', 'issue.archive')}
              onClick={() => change('ignored')}
            >
              Archive
            </Button>
          )}
          <Popover
            label="More"
            align="end"
            renderTrigger={(props) => (
              <Button {...props} size="small" variant="ghost" icon={<Ellipsis size={16} />} aria-label="More actions" />
            )}
          >
            {(close) => (
              <MenuList label="More actions">
                <MenuButton
                  icon={<Link2 size={14} />}
                  end="c"
                  onClick={() => {
                    close();
                    copyLink();
                  }}
                >
                  Copy link
                </MenuButton>
                <MenuButton
                  icon={<FileText size={14} />}
                  end="Shift C"
                  onClick={() => {
                    close();
                    void copyMarkdown();
                  }}
                >
                  Copy as Markdown
                </MenuButton>
                <MenuButton
                  icon={<Settings size={14} />}
                  onClick={() =>
                    void navigate({ to: '/projects/$slug/settings', params: { slug: issue.project.slug } })
                  }
                >
                  Project settings
                </MenuButton>
              </MenuList>
            )}
          </Popover>
        </div>
      </div>
      <h1 className={styles.title}>
        <Level level={event?.level ?? issue.level} word />
        <span className={styles.name}>{name}</span>
      </h1>
      {text && <p className={styles.text}>{text}</p>}
      {place && <p className={styles.place}>{place}</p>}
    </header>
  );
}
