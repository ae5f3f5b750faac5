import { curlCommand } from '../../features/event/curl.ts';
import { KeyValues, type KeyValueRow } from '../../features/event/KeyValues.tsx';
import { requestUrl } from '../../features/event/request-url.ts';
import { Gone, marked, markedPairs, MarkedValue, ScrubMark } from '../../features/event/ScrubMark.tsx';
import { type Scrubbed, scrubbedBelow } from '../../features/event/scrubbed.ts';
import type { RequestData } from '../../features/event/types.ts';
import * as m from '../../messages/issue-details.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Part } from './Part.tsx';
import styles from './RequestPanel.module.css';

const pairs = (list: readonly (readonly [string, string | null])[]): KeyValueRow[] =>
  list.map(([key, value]) => ({ key, value }));

interface Props {
  readonly request: RequestData;
  /** Of the event, and the slug of its project. */
  readonly scrubbed: readonly Scrubbed[];
  readonly project: string;
}

export function RequestPanel({ request, scrubbed, project }: Props) {
  const names = m.requestParts;
  const found = scrubbedBelow(scrubbed, ['request']);
  const ofBody = scrubbedBelow(found, ['data']);
  const ofUrl = [...scrubbedBelow(found, ['url']), ...found.filter(({ path: [first] }) => first === 'fragment')];
  const env = Object.entries(request.env ?? {}).map(([key, value]) => ({ key, value }));
  const parts = [
    { name: names.query, rows: markedPairs(pairs(request.query), found, ['query_string'], project) },
    { name: names.headers, rows: markedPairs(pairs(request.headers), found, ['headers'], project) },
    { name: names.cookies, rows: markedPairs(pairs(request.cookies), found, ['cookies'], project) },
    { name: names.env, rows: marked(env, found, ['env'], project) },
  ].filter(({ rows }) => rows.length > 0);
  const hasBody = request.data !== null && request.data !== undefined && request.data !== '';
  const shown = hasBody || ofBody.length > 0;
  if (!request.url && parts.length === 0 && !shown) return null;
  return (
    <Panel
      title={m.request}
      id="request"
      tools={
        request.url && (
          <CopyButton text={() => curlCommand(request)} label={m.copyCurl} variant="ghost">
            {m.copyCurl}
          </CopyButton>
        )
      }
    >
      {request.url && (
        <p className={styles.url}>
          <code>
            <strong>{request.method ?? 'GET'}</strong> {requestUrl(request)}
          </code>
          {ofUrl.length > 0 && <ScrubMark found={ofUrl} project={project} />}
        </p>
      )}
      {shown && (
        <Part title={m.body}>
          <div className={styles.body}>
            {hasBody ? (
              <MarkedValue value={request.data} found={ofBody} project={project} />
            ) : (
              <Gone found={ofBody} project={project} />
            )}
          </div>
        </Part>
      )}
      {parts.map(({ name, rows }) => (
        <Part key={name} title={name}>
          <KeyValues label={name} rows={rows} />
        </Part>
      ))}
    </Panel>
  );
}
