import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as m from '../../messages/factors.ts';
import { Button } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Inline, Stack } from '../../ui/Layout.tsx';
import { Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts.ts';
import { CodeField } from './fields.tsx';
import { endTwoFactor, renewRecoveryCodes, type TwoFactor, twoFactorQuery } from './queries.ts';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { SetUpApp } from './SetUpApp.tsx';

/** The authenticator app: set up, recovery codes, turn off. */
export function TwoFactorSection({
  email,
  hasPassword,
  onSetUp,
}: {
  readonly email: string;
  readonly hasPassword: boolean;
  readonly onSetUp?: () => void;
}) {
  const queries = useQueryClient();
  const state = useQuery(twoFactorQuery);
  const [settingUp, setSettingUp] = useState(false);
  const refresh = (): void => {
    void queries.invalidateQueries({ queryKey: ['account'] });
  };
  const finish = (): void => {
    setSettingUp(false);
    refresh();
    onSetUp?.();
  };
  return (
    <Section title={m.title} note={m.note}>
      <QueryView query={state} loading={m.loading} failed={m.failed} rows={1} height={44}>
        {(found) =>
          settingUp ? (
            <SetUpApp email={email} hasPassword={hasPassword} onDone={finish} onCancel={() => setSettingUp(false)} />
          ) : found.isOn ? (
            <TurnedOn state={found} email={email} onChanged={refresh} />
          ) : (
            <div>
              <Button onClick={() => setSettingUp(true)}>{m.setUp}</Button>
            </div>
          )
        }
      </QueryView>
    </Section>
  );
}

function TurnedOn({
  state: { dateEnabled, recoveryCodesLeft },
  email,
  onChanged,
}: {
  readonly state: TwoFactor;
  readonly email: string;
  readonly onChanged: () => void;
}) {
  const [asking, setAsking] = useState<'renew' | 'off'>();
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes) {
    const kept = (): void => {
      setCodes(undefined);
      onChanged();
    };
    return <RecoveryCodes codes={codes} email={email} onKept={kept} />;
  }
  return (
    <Stack gap={12}>
      <Text as="p">
        {dateEnabled !== null && m.onSince({ when: <Time at={dateEnabled} /> })}{' '}
        {m.codesLeft({ count: recoveryCodesLeft })}
      </Text>
      <Inline>
        <Button onClick={() => setAsking('renew')}>{m.renew}</Button>
        <Button variant="danger" onClick={() => setAsking('off')}>
          {m.turnOff}
        </Button>
      </Inline>
      {asking === 'renew' && (
        <AskCode
          title={m.renewAsk}
          what={m.renewWhat}
          action={m.renewAction}
          act={async (code) => setCodes((await renewRecoveryCodes(code)).recoveryCodes)}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking === 'off' && (
        <AskCode
          title={m.turnOffAsk}
          what={m.turnOffWhat}
          action={m.turnOff}
          act={async (code) => {
            await endTwoFactor(code);
            toast(m.turnedOff);
            onChanged();
          }}
          onClose={() => setAsking(undefined)}
        />
      )}
    </Stack>
  );
}

/** A question that only who has the app can answer. */
function AskCode({
  title,
  what,
  action,
  act,
  onClose,
}: {
  readonly title: string;
  readonly what: string;
  readonly action: string;
  readonly act: (code: string) => Promise<void>;
  readonly onClose: () => void;
}) {
  const [code, setCode] = useState('');
  const ask = useMutation({ mutationFn: () => act(code), onSuccess: onClose });
  return (
    <Confirm title={title} action={action} busy={ask.isPending} onConfirm={() => ask.mutate()} onClose={onClose}>
      <Stack gap={12}>
        <p>{what}</p>
        <CodeField any required value={code} onChange={(event) => setCode(event.target.value)} />
        <FormError error={ask.error} />
      </Stack>
    </Confirm>
  );
}
