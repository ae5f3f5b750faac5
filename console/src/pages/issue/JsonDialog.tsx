import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { CodeLine } from '../../features/code/CodeLine.tsx';
import { markColumn } from '../../features/code/tokens.ts';
import { useHighlight } from '../../features/code/use-highlight.ts';
import { eventJsonQuery } from '../../features/issues/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ScrollRegion } from '../../ui/ScrollRegion.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
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
  const text = useMemo(() => (json.data === undefined ? '' : JSON.stringify(json.data, null, 2)), [json.data]);
  return (
    <Dialog title={`Event ${eventId.slice(0, 8)} as JSON`} size="wide" onClose={onClose}>
      {json.isPending ? (
        <Skeleton rows={10} height={28} />
      ) : json.isError ? (
        <ErrorState error={json.error} retry={() => void json.refetch()} />
      ) : (
        <div className={styles.body}>
          <div className={styles.tools}>
            <CopyButton text={text} label="Copy JSON">
              Copy
            </CopyButton>
            <a
              className={styles.raw}
              href={`/api/0/projects/${encodeURIComponent(org)}/${encodeURIComponent(project)}/events/${eventId}/json/`}
              target="_blank"
              rel="noreferrer"
            >
              Open raw
            </a>
          </div>
          <Json text={text} />
        </div>
      )}
    </Dialog>
  );
}

function Json({ text }: { readonly text: string }) {
  const lines = useMemo(() => text.split('\n'), [text]);
  const coloured = useHighlight(lines, lines.length > maxColouredLines ? '' : 'json');
  return (
    <ScrollRegion as="pre" className={styles.json} label="JSON">
      {coloured.map((line, index) => (
        <div key={index}>
          <CodeLine pieces={markColumn(line, null)} />
        </div>
      ))}
    </ScrollRegion>
  );
}
