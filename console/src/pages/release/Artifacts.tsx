import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { releaseFilesQuery, type Artifact } from '../../features/releases/part-queries.ts';
import type { ReleaseDetail } from '../../features/releases/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { artifactState, mapsText } from '../../features/source-maps/artifact-words.ts';
import { sourceMapsQuery } from '../../features/source-maps/queries.ts';
import * as m from '../../messages/release.ts';
import { Button } from '../../ui/Button.tsx';
import { Cell, DataTable, HeadCell, RowHead } from '../../ui/DataTable.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { byteSize, exactNumber } from '../../ui/numbers.ts';
import { Panel } from '../../ui/Panel.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Facts, Nothing, Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import { mostRows } from './limits.ts';

/** Uploaded files of the release: their size, the frames they resolved, and what is wrong with their maps. */
export function Artifacts({ release }: { readonly release: ReleaseDetail }) {
  const [limit, setLimit] = useState(20);
  const files = useQuery({
    ...releaseFilesQuery(useOrg(), release.version, limit),
    placeholderData: (before) => before,
  });
  return (
    <Panel title={m.sourceMaps} id="source-maps">
      <QueryView
        query={files}
        loading={m.loadingMaps}
        failed={m.mapsFailed}
        height={44}
        empty={<NothingForRelease release={release} />}
        isEmpty={({ rows }) => rows.length === 0}
      >
        {({ rows, more }) => (
          <>
            <DataTable
              label={m.files}
              dense
              head={
                <>
                  <HeadCell main>{m.file}</HeadCell>
                  <HeadCell number hide="narrow">
                    {m.script}
                  </HeadCell>
                  <HeadCell number hide="narrow">
                    {m.map}
                  </HeadCell>
                  <HeadCell number>{m.framesResolved}</HeadCell>
                  <HeadCell>{m.state}</HeadCell>
                </>
              }
            >
              {rows.map((file) => (
                <FileRow key={file.id} file={file} />
              ))}
            </DataTable>
            {more && limit < mostRows && (
              <Button size="small" variant="ghost" busy={files.isPlaceholderData} onClick={() => setLimit(mostRows)}>
                {m.moreFiles}
              </Button>
            )}
          </>
        )}
      </QueryView>
    </Panel>
  );
}

const sizeOf = (bytes: number): string => (bytes > 0 ? byteSize(bytes) : '–');

export function FileRow({ file }: { readonly file: Artifact }) {
  const { kind, word, mend } = artifactState(file);
  return (
    <tr>
      <RowHead>
        <Text>
          <code>{file.name}</code>
        </Text>
        <Facts>
          {file.debugId && m.debugId({ id: file.debugId })}
          {file.dist && m.dist({ dist: file.dist })}
        </Facts>
        {mend && (
          <Text as="p" tone="error" small>
            {mend}
          </Text>
        )}
      </RowHead>
      <Cell number hide="narrow">
        {sizeOf(file.scriptSize)}
      </Cell>
      <Cell number hide="narrow">
        {sizeOf(file.mapSize)}
      </Cell>
      <Cell number>{exactNumber(file.framesResolved)}</Cell>
      <Cell>
        <Flag kind={kind}>{word}</Flag>
      </Cell>
    </tr>
  );
}

/** Files with debug ids serve every release, so that none for this one need not be a fault. */
function NothingForRelease({ release }: { readonly release: ReleaseDetail }) {
  return (
    <>
      <Nothing>{m.noFiles}</Nothing>
      {release.projects.slice(0, 3).map((project) => (
        <ProjectMaps key={project.id} slug={project.slug} name={project.name} />
      ))}
    </>
  );
}

function ProjectMaps({ slug, name }: { readonly slug: string; readonly name: string }) {
  const { data } = useQuery(sourceMapsQuery(useOrg(), slug));
  if (!data) return null;
  return (
    <Nothing>
      <strong translate="no">{name}</strong>:{' '}
      {data.lastUpload ? m.projectMaps({ maps: mapsText(data), when: <Time at={data.lastUpload} /> }) : m.noUpload}{' '}
      <Link to="/projects/$slug/setup" params={{ slug }} hash="source-maps">
        {data.state === 'ok' ? m.viewSetup : m.setUpUpload}
      </Link>
    </Nothing>
  );
}
