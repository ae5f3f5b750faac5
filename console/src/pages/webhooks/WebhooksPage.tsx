import { useQuery } from '@tanstack/react-query';
import { useMay, useOrg } from '../../features/session/organization.ts';
import { SettingsBar } from '../../features/settings/SettingsBar.tsx';
import { deleteWebhook, webhooksQuery } from '../../features/webhooks/queries.ts';
import * as m from '../../messages/webhooks.ts';
import { Column, Section } from '../../ui/Page.tsx';
import { Text } from '../../ui/Text.tsx';
import { useTitle } from '../../ui/title.ts';
import { none } from './empty.ts';
import { IncomingSection } from './IncomingSection.tsx';
import { WebhookForm } from './WebhookForm.tsx';
import { WebhookList, type Words } from './WebhookList.tsx';
import { WebhookLog } from './WebhookLog.tsx';
import { WebhookRow } from './WebhookRow.tsx';

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

/** Addresses of the organisation that are told of changes, and what they answered. */
export function WebhooksPage() {
  useTitle(m.title, m.settings);
  const may = useMay('org:write');
  return (
    <>
      <SettingsBar />
      <Column>
        {may ? (
          <>
            <Webhooks />
            <IncomingSection />
          </>
        ) : (
          <Denied />
        )}
      </Column>
    </>
  );
}

const Denied = () => (
  <Section title={m.title} note={m.note}>
    <Text as="p" tone="faint">
      {m.denied}
    </Text>
  </Section>
);

function Webhooks() {
  const org = useOrg();
  const query = webhooksQuery(org);
  return (
    <WebhookList
      words={words}
      none={none}
      query={useQuery(query)}
      queryKey={query.queryKey}
      onRemove={(id) => deleteWebhook(org, id)}
      Form={WebhookForm}
      Row={WebhookRow}
      Log={WebhookLog}
    />
  );
}
