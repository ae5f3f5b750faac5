import { curlCommand } from '../../features/event/curl.ts';
import { JsonValue } from '../../features/event/JsonValue.tsx';
import { KeyValues, type KeyValueRow } from '../../features/event/KeyValues.tsx';
import { requestUrl } from '../../features/event/request-url.ts';
import type { RequestData } from '../../features/event/types.ts';
import * as m from '../../messages/issue-details.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Part } from './Part.tsx';
import styles from './RequestPanel.module.css';

const pairs = (list: readonly (readonly [string, string | null])[]): KeyValueRow[] =>
  list.map(([key, value]) => ({ key, value }));

export function RequestPanel({ request }: { readonly request: RequestData }) {
  const names = m.requestParts;
  const parts = [
    { name: names.query, rows: pairs(request.query) },
    { name: names.headers, rows: pairs(request.headers) },
    { name: names.cookies, rows: pairs(request.cookies) },
    { name: names.env, rows: Object.entries(request.env ?? {}).map(([key, value]) => ({ key, value })) },
  ].filter(({ rows }) => rows.length > 0);
  const hasBody = request.data !== null && request.data !== undefined && request.data !== '';
  if (!request.url && parts.length === 0 && !hasBody) return null;
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
        </p>
      )}
      {hasBody && (
        <Part title={m.body}>
          <div className={styles.body}>
            <JsonValue value={request.data} />
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
