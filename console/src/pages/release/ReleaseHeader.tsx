import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ArchiveIcon, CompareIcon, DeleteIcon, NextIcon, PreviousIcon, RestoreIcon } from '../../ui/icons.ts';
import { useState } from 'react';
import { Narrowed } from '../../features/filters/Narrowed.tsx';
import { deleteRelease, setReleaseStatus } from '../../features/releases/part-queries.ts';
import { ReleaseName } from '../../features/releases/ReleaseName.tsx';
import type { ReleaseDetail } from '../../features/releases/queries.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/release.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Inline } from '../../ui/Layout.tsx';
import { Crumbs } from '../../ui/Page.tsx';
import { Text } from '../../ui/Text.tsx';
import { toast } from '../../ui/toasts.ts';
import styles from './ReleasePage.module.css';

/** Which release, its neighbours, and what can be done with it. */
export function ReleaseHeader({ release }: { readonly release: ReleaseDetail }) {
  const org = useOrg();
  const may = useMay('project:releases');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [deleting, setDeleting] = useState(false);
  const { version, status, previous, next, projects } = release;
  const setStatus = useMutation({
    mutationFn: (wanted: 'open' | 'archived') => setReleaseStatus(org, version, wanted),
    onSuccess: async (_, wanted) => {
      await queries.invalidateQueries({ queryKey: ['releases', org] });
      const back = wanted === 'archived' ? 'open' : 'archived';
      toast(wanted === 'archived' ? m.archivedNow : m.restored, {
        action: { label: m.undo, run: () => setStatus.mutate(back) },
      });
    },
  });
  const remove = useMutation({
    mutationFn: () => deleteRelease(org, version),
    onSuccess: async () => {
      toast(m.deleted);
      await navigate({ to: '/releases' });
      queries.removeQueries({ queryKey: ['releases', org, 'one', version] });
      await queries.invalidateQueries({ queryKey: ['releases', org, 'list'] });
    },
  });
  return (
    <header className={styles.header}>
      <Inline align="apart">
        <Inline>
          <Crumbs>
            <Link to="/releases">{m.releases}</Link>
            <Text>
              {projects.length ? (
                <span translate="no">{projects.map((project) => project.name).join(', ')}</span>
              ) : (
                m.noProject
              )}
            </Text>
          </Crumbs>
          {status === 'archived' && <Flag kind="archived">{m.archived}</Flag>}
        </Inline>
        <Inline gap={4}>
          <Link
            to="/releases/compare"
            search={{ ...(previous && { from: previous.version }), to: version }}
            className={buttonClass('normal', 'small')}
          >
            <CompareIcon size={14} />
            {m.compare}
          </Link>
          {may && (
            <>
              <Button
                size="small"
                busy={setStatus.isPending}
                icon={status === 'open' ? <ArchiveIcon size={14} /> : <RestoreIcon size={14} />}
                onClick={() => setStatus.mutate(status === 'open' ? 'archived' : 'open')}
              >
                {status === 'open' ? m.archive : m.restore}
              </Button>
              <Button size="small" icon={<DeleteIcon size={14} />} onClick={() => setDeleting(true)}>
                {m.deleteAction}
              </Button>
            </>
          )}
        </Inline>
      </Inline>
      <div className={styles.titleLine}>
        <h1 className={styles.version} translate="no">
          {version}
        </h1>
        <CopyButton text={version} label={m.copyVersion} />
      </div>
      <FormError error={setStatus.error} />
      <Narrowed by={['project', 'environment']} />
      {(previous ?? next) && (
        <nav className={styles.neighbours} aria-label={m.neighbours}>
          {previous && (
            <Link
              to="/releases/$version"
              params={{ version: previous.version }}
              className={buttonClass('ghost', 'small')}
              rel="prev"
            >
              <PreviousIcon size={14} />
              <code className={styles.neighbour}>
                <ReleaseName release={previous} among={[next]} />
              </code>
              <Text tone="faint" small>
                {m.newIssueCount({ count: previous.newGroups })}
              </Text>
            </Link>
          )}
          {next && (
            <Link
              to="/releases/$version"
              params={{ version: next.version }}
              className={buttonClass('ghost', 'small')}
              rel="next"
            >
              <code className={styles.neighbour}>
                <ReleaseName release={next} among={[previous]} />
              </code>
              <Text tone="faint" small>
                {m.newIssueCount({ count: next.newGroups })}
              </Text>
              <NextIcon size={14} />
            </Link>
          )}
        </nav>
      )}
      {deleting && (
        <Confirm
          title={m.deleteTitle({ version })}
          action={m.deleteButton}
          busy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setDeleting(false)}
        >
          <p>{m.deleteHint}</p>
          <FormError error={remove.error} />
        </Confirm>
      )}
    </header>
  );
}
