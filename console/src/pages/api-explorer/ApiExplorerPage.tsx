import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { documentAddress, operationsQuery } from '../../features/api-explorer/queries.ts';
import { matching, type Operation } from '../../features/api-explorer/document.ts';
import type { Sender } from '../../features/api-explorer/send.ts';
import { Empty } from '../../features/places/Empty.tsx';
import { SettingsBar } from '../../features/settings/SettingsBar.tsx';
import * as m from '../../messages/api-explorer.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { InlineSelect } from '../../ui/Field.tsx';
import { Column, Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { useTitle } from '../../ui/title.ts';
import { SearchInput, Toolbar } from '../../ui/Toolbar.tsx';
import styles from './ApiExplorer.module.css';
import { noMatch, noneChosen, unknown } from './empty.ts';
import { OperationList } from './OperationList.tsx';
import { OperationPanel } from './OperationPanel.tsx';

const route = getRouteApi('/shell/settings/api-explorer');

/** Every operation of this server's API: what it takes, what it answers, and a way to try it. */
export function ApiExplorerPage() {
  useTitle(m.title, m.settings);
  const query = useQuery(operationsQuery());
  return (
    <>
      <SettingsBar />
      <Column wide="full">
        <Section
          title={m.title}
          note={query.data && m.note({ count: query.data.length })}
          actions={
            <>
              <Link to="/settings/tokens" className={buttonClass('normal', 'small')}>
                {m.tokens}
              </Link>
              <a href={documentAddress} className={buttonClass('normal', 'small')} target="_blank" rel="noreferrer">
                {m.document}
              </a>
            </>
          }
        >
          <QueryView query={query} loading={m.loading} failed={m.failed} rows={10} height={36}>
            {(operations) => <Explorer operations={operations} />}
          </QueryView>
        </Section>
      </Column>
    </>
  );
}

function Explorer({ operations }: { readonly operations: readonly Operation[] }) {
  const { operation: id, q = '', tag = '' } = route.useSearch();
  // A token is good for more than one operation.
  const [sender, setSender] = useState<Sender>({ as: 'session', token: '' });
  const navigate = route.useNavigate();
  const shown = matching(operations, q, tag);
  const tags = [...new Set(operations.map((one) => one.tag))];
  const chosen = operations.find((one) => one.id === id);
  const narrow = (change: { q?: string | undefined; tag?: string | undefined }): void =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false });
  return (
    <div className={styles.sides} data-chosen={id !== undefined || undefined}>
      <div className={styles.choice}>
        <Toolbar label={m.search} bare>
          <SearchInput
            label={m.search}
            placeholder={m.search}
            value={q}
            onChange={(event) => narrow({ q: event.target.value || undefined })}
          />
          <InlineSelect
            label={m.tag}
            value={tag}
            onChange={(event) => narrow({ tag: event.target.value || undefined })}
          >
            <option value="">{m.allTags}</option>
            {tags.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </InlineSelect>
        </Toolbar>
        {shown.length === 0 ? (
          <Empty of={noMatch} onAct={() => narrow({ q: undefined, tag: undefined })} />
        ) : (
          <OperationList operations={shown} chosen={id} />
        )}
      </div>
      <div className={styles.panel}>
        {chosen ? (
          <OperationPanel key={chosen.id} operation={chosen} sender={sender} onSender={setSender} />
        ) : id === undefined ? (
          <Empty of={noneChosen} />
        ) : (
          <Empty of={unknown} onAct={() => void navigate({ search: {} })} />
        )}
      </div>
    </div>
  );
}
