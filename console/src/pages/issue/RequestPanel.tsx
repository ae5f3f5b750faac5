import { curlCommand } from '../../features/event/curl.ts';
import { requestUrl } from '../../features/event/request-url.ts';
import { JsonValue } from '../../features/event/JsonValue.tsx';
import { KeyValues, type KeyValue } from '../../features/event/KeyValues.tsx';
import type { RequestData } from '../../features/event/types.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Panel } from '../../ui/Panel.tsx';
import styles from './RequestPanel.module.css';

const pairs = (list: readonly (readonly [string, string | null])[]): KeyValue[] =>
  list.map(([key, value]) => ({ key, value }));

export function RequestPanel({ request }: { readonly request: RequestData }) {
  const parts = [
    { name: 'Query', rows: pairs(request.query) },
    { name: 'Headers', rows: pairs(request.headers) },
    { name: 'Cookies', rows: pairs(request.cookies) },
    { name: 'Environment', rows: Object.entries(request.env ?? {}).map(([key, value]) => ({ key, value })) },
  ].filter(({ rows }) => rows.length > 0);
  const hasBody = request.data !== null && request.data !== undefined && request.data !== '';
  if (!request.url && parts.length === 0 && !hasBody) return null;
  return (
    <Panel
      title="Request"
      id="request"
      tools={
        request.url && (
          <CopyButton text={() => curlCommand(request)} label="Copy as curl" variant="ghost">
            Copy as curl
          </CopyButton>
        )
      }
    >
      {request.url && (
        <p className={styles.url}>
          <strong>{request.method ?? 'GET'}</strong> {requestUrl(request)}
        </p>
      )}
      {hasBody && (
        <section className={styles.part} aria-label="Body">
          <h3>Body</h3>
          <div className={styles.bodyValue}>
            <JsonValue value={request.data} />
          </div>
        </section>
      )}
      {parts.map(({ name, rows }) => (
        <section key={name} className={styles.part} aria-label={name}>
          <h3>{name}</h3>
          <KeyValues label={name} rows={rows} />
        </section>
      ))}
    </Panel>
  );
}
