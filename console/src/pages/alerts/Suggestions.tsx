import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type AlertRule, suggestionsQuery } from '../../features/alerts/queries.ts';
import { channelsQuery } from '../../features/channels/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/alerts.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Section } from '../../ui/Page.tsx';
import { Text } from '../../ui/Text.tsx';
import { toNewChannel } from './to-new-channel.tsx';

/** Rules to begin with, one click away; those that exist already are left out. */
export function Suggestions({
  project,
  taken,
}: {
  readonly project: string | undefined;
  readonly taken: readonly AlertRule[];
}) {
  const org = useOrg();
  const { data = [] } = useQuery(suggestionsQuery(org, project));
  const { data: channels } = useQuery(channelsQuery(org));
  const sentences = new Set(taken.map(({ sentence }) => sentence));
  const offered = data.filter(
    ({ sentence, rule }) => !sentences.has(sentence) && !taken.some(({ name }) => name === rule.name),
  );
  if (!offered.length) return null;
  return (
    <Section title={m.suggestions}>
      {channels?.length === 0 && <Notice tone="warning">{m.suggestionsWithoutChannel({ link: toNewChannel })}</Notice>}
      <DataList label={m.suggestions}>
        {offered.map(({ id, title, why, sentence }) => (
          <DataRow
            key={id}
            title={<strong translate="no">{title}</strong>}
            facts={
              <div translate="no">
                <p>{why}</p>
                <Text as="p" small>
                  {sentence}
                </Text>
              </div>
            }
            actions={
              <Link
                to="/alerts/new"
                search={{ suggestion: id }}
                className={buttonClass()}
                aria-label={m.applySuggestion({ title })}
              >
                {m.apply}
              </Link>
            }
          />
        ))}
      </DataList>
    </Section>
  );
}
