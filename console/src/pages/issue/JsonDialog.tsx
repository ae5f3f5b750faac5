import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { CodeLine } from '../../features/code/CodeLine.tsx';
import { markColumn } from '../../features/code/tokens.ts';
import { useHighlight } from '../../features/code/use-highlight.ts';
import { eventJsonQuery } from '../../features/issues/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/issue-details.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Inline } from '../../ui/Layout.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { ScrollRegion } from '../../ui/ScrollRegion.tsx';
import styles from './JsonDialog.module.css';

const maxColouredLines = 3000;

/** The event as it is stored, in the wire format. */
export function JsonDialog({
  project,
  eventId,
  onClose,
}: {
  readonly project: string;
  readonly eventId: string;
  readonly onClose: () => void;
}) {
  const org = useOrg();
  const json = useQuery(eventJsonQuery(org, project, eventId));
  return (
    <Dialog title={m.jsonTitle({ event: eventId.slice(0, 8) })} size="wide" onClose={onClose}>
      <QueryView query={json} loading={m.jsonLoading} failed={m.jsonFailed} rows={10} height={28}>
        {(data) => (
          <Json
            text={JSON.stringify(data, null, 2)}
            raw={`/api/0/projects/${encodeURIComponent(org)}/${encodeURIComponent(project)}/events/${eventId}/json/`}
          />
        )}
      </QueryView>
    </Dialog>
  );
}

function Json({ text, raw }: { readonly text: string; readonly raw: string }) {
  const lines = useMemo(() => text.split('\n'), [text]);
  const coloured = useHighlight(lines, lines.length > maxColouredLines ? '' : 'json');
  return (
    <div className={styles.body}>
      <Inline gap={16}>
        <CopyButton text={text} label={m.jsonCopyLabel}>
          {m.jsonCopy}
        </CopyButton>
        <a href={raw} target="_blank" rel="noreferrer">
          {m.jsonRaw}
        </a>
      </Inline>
      <ScrollRegion as="pre" className={styles.json} label={m.json}>
        {coloured.map((line, index) => (
          <div key={index}>
            <CodeLine pieces={markColumn(line, null)} />
          </div>
        ))}
      </ScrollRegion>
    </div>
  );
}
