import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ArchiveIcon, CompareIcon, DeleteIcon, NextIcon, PreviousIcon, RestoreIcon } from '../../ui/icons.ts';
import { lazy, Suspense, useState } from 'react';
import { Narrowed } from '../../features/filters/Narrowed.tsx';
import { deleteRelease, setReleaseStatus } from '../../features/releases/part-queries.ts';
import { ReleaseName } from '../../features/releases/ReleaseName.tsx';
import type { ReleaseDetail } from '../../features/releases/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { plural } from '../../ui/numbers.ts';
import { toast } from '../../ui/toasts.ts';
import styles from './ReleasePage.module.css';

const Confirm = lazy(() => import('../../ui/Confirm.tsx').then((module) => ({ default: module.Confirm })));

/** Which release, its neighbours, and what can be done with it. */
export function ReleaseHeader({ release }: { readonly release: ReleaseDetail }) {
  const org = useOrg();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [deleting, setDeleting] = useState(false);
  const { version, status, previous, next, projects } = release;
  const setStatus = useMutation({
    mutationFn: (wanted: 'open' | 'archived') => setReleaseStatus(org, version, wanted),
    onSuccess: async (_, wanted) => {
      await queries.invalidateQueries({ queryKey: ['releases', org] });
      const back = wanted === 'archived' ? 'open' : 'archived';
      toast(wanted === 'archived' ? 'Release archived' : 'Release restored', {
        action: { label: 'Undo', run: () => setStatus.mutate(back) },
      });
    },
  });
  const remove = useMutation({
    mutationFn: () => deleteRelease(org, version),
    onSuccess: async () => {
      toast('Release deleted');
      await navigate({ to: '/releases' });
      queries.removeQueries({ queryKey: ['releases', org, 'one', version] });
      await queries.invalidateQueries({ queryKey: ['releases', org, 'list'] });
    },
  });
  return (
    <header className={styles.header}>
      <div className={styles.crumbs}>
        <Link to="/releases">Releases</Link>
        <span aria-hidden="true">/</span>
        <span>{projects.map((project) => project.name).join(', ') || 'no project'}</span>
        {status === 'archived' && <Flag kind="archived" />}
        <div className={styles.actions}>
          <Link
            to="/releases/compare"
            search={{ ...(previous && { from: previous.version }), to: version }}
            className={buttonClass('normal', 'small')}
          >
            <CompareIcon size={14} />
            Compare
          </Link>
          <Button
            size="small"
            busy={setStatus.isPending}
            icon={status === 'open' ? <ArchiveIcon size={14} /> : <RestoreIcon size={14} />}
            onClick={() => setStatus.mutate(status === 'open' ? 'archived' : 'open')}
          >
            {status === 'open' ? 'Archive' : 'Restore'}
          </Button>
          <Button size="small" icon={<DeleteIcon size={14} />} onClick={() => setDeleting(true)}>
            Delete
          </Button>
        </div>
      </div>
      <div className={styles.titleLine}>
        <h1 className={styles.version}>{version}</h1>
        <CopyButton text={version} label="Copy version" />
      </div>
      <FormError error={setStatus.error} />
      <Narrowed by={['project', 'environment']} />
      {(previous ?? next) && (
        <nav className={styles.neighbours} aria-label="Neighbouring releases">
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
              <span className={styles.neighbourFact}>{plural(previous.newGroups, 'new issue')}</span>
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
              <span className={styles.neighbourFact}>{plural(next.newGroups, 'new issue')}</span>
              <NextIcon size={14} />
            </Link>
          )}
        </nav>
      )}
      <Suspense>
        {deleting && (
          <Confirm
            title={`Delete ${version}?`}
            action="Delete release"
            busy={remove.isPending}
            onConfirm={() => remove.mutate()}
            onClose={() => setDeleting(false)}
          >
            <p>
              Its commits and deploys go with it. Events, issues and uploaded source maps stay, and the next event that
              names this version makes the release anew.
            </p>
            <FormError error={remove.error} />
          </Confirm>
        )}
      </Suspense>
    </header>
  );
}
