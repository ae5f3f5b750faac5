import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { languageOfPlatform, type PlatformId } from '../../features/projects/platforms.ts';
import { languageSetupQuery, type LanguageSetup } from '../../features/projects/setup/load.ts';
import { environment } from '../../features/projects/setup/environment-snippets.ts';
import { extrasOf, type Extra, type SetupStep, type Target } from '../../features/projects/setup/template.ts';
import * as m from '../../messages/project-setup.ts';
import { Choice, ChoiceGroup } from '../../ui/Choice.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { Text } from '../../ui/Text.tsx';
import { SetupSteps } from './SetupSteps.tsx';
import { Steps } from './Steps.tsx';

type Way = 'sdk' | 'openTelemetry';

/** What to install and paste for a framework: by its SDK or by OpenTelemetry, with the extras that are wanted. */
export function PlatformSetup({ platform, target }: { readonly platform: PlatformId; readonly target: Target }) {
  const setup = useQuery(languageSetupQuery(languageOfPlatform(platform)));
  const [wanted, setWanted] = useState<ReadonlySet<Extra>>(new Set<Extra>(['traces']));
  const [chosenWay, setWay] = useState<Way>('sdk');
  return (
    <QueryView query={setup} loading={m.stepsLoading} failed={m.stepsFailed} rows={3} height={120}>
      {(known) => {
        const ways = waysOf(known, platform);
        const way = ways.openTelemetry ? chosenWay : 'sdk';
        const steps = ways[way] ?? [];
        const offered = extrasOf(steps);
        return (
          <Stack gap={16}>
            {ways.openTelemetry && (
              <Segments
                label={m.way}
                value={way}
                options={[
                  ['sdk', m.ways.sdk],
                  ['openTelemetry', m.ways.openTelemetry],
                ]}
                onChange={setWay}
              />
            )}
            {offered.length > 0 && (
              <ChoiceGroup label={m.extrasLabel}>
                {offered.map((extra) => (
                  <Choice
                    key={extra}
                    label={m.extras[extra]}
                    checked={wanted.has(extra)}
                    onChange={({ target: { checked } }) =>
                      setWanted(
                        (before) => new Set(checked ? [...before, extra] : [...before].filter((e) => e !== extra)),
                      )
                    }
                  />
                ))}
              </ChoiceGroup>
            )}
            {way === 'sdk' && known.platforms[platform]?.sendsSessions && (
              <Text tone="faint" small>
                {m.sendsSessions}
              </Text>
            )}
            <Steps>
              <SetupSteps key={`${platform} ${way}`} steps={steps} target={target} extras={wanted} />
            </Steps>
          </Stack>
        );
      }}
    </QueryView>
  );
}

function waysOf(
  { platforms, openTelemetry }: LanguageSetup,
  platform: PlatformId,
): { readonly sdk: readonly SetupStep[]; readonly openTelemetry?: readonly SetupStep[] } {
  const setup = platforms[platform];
  return {
    sdk: setup?.steps ?? [],
    ...(openTelemetry && !setup?.isBrowser && { openTelemetry: [environment, ...openTelemetry] }),
  };
}
