import { useQuery } from '@tanstack/react-query';
import { groupingVersionsQuery } from '../../features/grouping/queries.ts';
import type { Project } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/grouping-rules.ts';
import { Button } from '../../ui/Button.tsx';
import { Inline, Stack } from '../../ui/Layout.tsx';
import { Section } from '../../ui/Page.tsx';
import { Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';

/** The version of the algorithm; where there is a newer one, the way to it and what that means. */
export function GroupingVersion({
  project,
  chosen,
  onChoose,
}: {
  readonly project: Project;
  readonly chosen: string;
  readonly onChoose: (version: string) => void;
}) {
  const { data: versions } = useQuery(groupingVersionsQuery(useOrg()));
  const { groupingConfig: saved, groupingUpgradedFrom: before, groupingUpgradedAt: upgradedAt } = project;
  const latest = versions?.find((version) => version.latest)?.id;
  return (
    <Section title={m.algorithm}>
      <Stack gap={4}>
        {latest === undefined ? (
          <p>
            <code>{chosen}</code>
          </p>
        ) : (
          <p>
            {chosen !== saved
              ? m.algorithmChosen({ chosen, saved })
              : chosen === latest
                ? m.algorithmLatest({ chosen })
                : m.algorithmOld({ chosen, latest })}
          </p>
        )}
        {before && (
          <Text as="p">
            {upgradedAt
              ? m.upgradedFromAt({ version: before, when: <Time at={upgradedAt} /> })
              : m.upgradedFrom({ version: before })}
          </Text>
        )}
        {latest !== undefined && saved !== latest && (
          <>
            <Text as="p">{m.upgradeHint({ version: saved })}</Text>
            <Inline>
              <Button size="small" onClick={() => onChoose(chosen === saved ? latest : saved)}>
                {chosen === saved ? m.upgrade({ version: latest }) : m.stay({ version: saved })}
              </Button>
            </Inline>
          </>
        )}
      </Stack>
    </Section>
  );
}
