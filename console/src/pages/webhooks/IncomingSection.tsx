import { useQuery } from '@tanstack/react-query';
import { deleteIncoming, incomingQuery } from '../../features/incoming-webhooks/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/incoming-webhooks.ts';
import { noneIncoming } from './empty.ts';
import { IncomingForm } from './IncomingForm.tsx';
import { IncomingLog } from './IncomingLog.tsx';
import { IncomingRow } from './IncomingRow.tsx';
import { WebhookList, type Words } from './WebhookList.tsx';

const words: Words = {
  title: m.title,
  note: m.note,
  add: m.add,
  secretReady: m.secretReady,
  copySecret: m.copySecret,
  loading: m.loading,
  failed: m.failed,
  removeAsk: m.removeAsk,
  remove: m.remove,
  removeHint: m.removeHint,
  deleted: m.deleted,
};

/** Hosts of code and of sites that tell of releases and deploys, and what they told. */
export function IncomingSection() {
  const org = useOrg();
  const query = incomingQuery(org);
  return (
    <WebhookList
      words={words}
      none={noneIncoming}
      query={useQuery(query)}
      queryKey={query.queryKey}
      onRemove={(id) => deleteIncoming(org, id)}
      Form={IncomingForm}
      Row={IncomingRow}
      Log={IncomingLog}
    />
  );
}
