import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { releaseFilesQuery, type Artifact } from '../../features/releases/part-queries.ts';
import type { ReleaseDetail } from '../../features/releases/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { artifactState, mapsText } from '../../features/source-maps/artifact-words.ts';
import { sourceMapsQuery } from '../../features/source-maps/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { byteSize, exactNumber } from '../../ui/numbers.ts';
import { Panel } from '../../ui/Panel.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './ReleasePage.module.css';

/** Uploaded files of the release: how large, how useful so far, and what is wrong with their maps. */
export function Artifacts({ release }: { readonly release: ReleaseDetail }) {
  const [limit, setLimit] = useState(20);
  const files = useQuery({
    ...releaseFilesQuery(useOrg(), release.version, limit),
    placeholderData: (before) => before,
  });
  return (
    <Panel title="Source maps" id="source-maps" boxed={!(files.data?.rows.length === 0)}>
      {files.isPending ? (
        <Skeleton rows={3} height={44} label="Loading source maps" />
      ) : files.isError ? (
        <ErrorState error={files.error} retry={() => void files.refetch()} what="The source maps could not be loaded" />
      ) : files.data.rows.length === 0 ? (
        <NothingForRelease release={release} />
      ) : (
        <>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">File</th>
                <th scope="col" className={styles.number}>
                  Script
                </th>
                <th scope="col" className={styles.number}>
                  Map
                </th>
                <th scope="col" className={styles.number}>
                  Frames resolved
                </th>
                <th scope="col">State</th>
              </tr>
            </thead>
            <tbody>
              {files.data.rows.map((file) => (
                <FileRow key={file.id} file={file} />
              ))}
            </tbody>
          </table>
          {files.data.more && limit < 100 && (
            <Button
              size="small"
              variant="ghost"
              busy={files.isPlaceholderData}
              className={styles.more}
              onClick={() => setLimit(100)}
            >
              Show more files
            </Button>
          )}
        </>
      )}
    </Panel>
  );
}

function FileRow({ file }: { readonly file: Artifact }) {
  const { kind, word, mend } = artifactState(file);
  return (
    <tr>
      <td>
        <code className={styles.file}>{file.name}</code>
        {(file.debugId ?? file.dist) && (
          <span className={styles.faint}>
            {[file.debugId && `debug id ${file.debugId}`, file.dist && `dist ${file.dist}`].filter(Boolean).join(', ')}
          </span>
        )}
        {mend && <span className={styles.mend}>{mend}</span>}
      </td>
      <td className={styles.number}>{file.scriptSize > 0 ? byteSize(file.scriptSize) : '–'}</td>
      <td className={styles.number}>{file.mapSize > 0 ? byteSize(file.mapSize) : '–'}</td>
      <td className={styles.number}>{exactNumber(file.framesResolved)}</td>
      <td>
        <Flag kind={kind}>{word}</Flag>
      </td>
    </tr>
  );
}

/** Files with debug ids serve every release, so that none for this one need not be a fault. */
function NothingForRelease({ release }: { readonly release: ReleaseDetail }) {
  return (
    <div className={styles.hint}>
      <p>No file was uploaded for this release by name. Files that carry debug ids are found without one.</p>
      {release.projects.slice(0, 3).map((project) => (
        <ProjectMaps key={project.id} slug={project.slug} name={project.name} />
      ))}
    </div>
  );
}

function ProjectMaps({ slug, name }: { readonly slug: string; readonly name: string }) {
  const { data } = useQuery(sourceMapsQuery(useOrg(), slug));
  if (!data) return null;
  return (
    <p>
      <strong>{name}</strong>:{' '}
      {data.lastUpload ? (
        <>
          {mapsText(data)}, last upload <Time at={data.lastUpload} />.{' '}
        </>
      ) : (
        'nothing was uploaded yet. '
      )}
      <Link to="/projects/$slug/setup" params={{ slug }} hash="source-maps">
        {data.state === 'ok' ? 'See the set-up' : 'Set up the upload'}
      </Link>
    </p>
  );
}
