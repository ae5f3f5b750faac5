import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Account, accountQuery } from '../../features/account/queries.ts';
import { hasPasskeys } from '../../features/factors/browser.ts';
import { PasskeyButton } from '../../features/factors/PasskeyButton.tsx';
import { PasskeysSection } from '../../features/factors/PasskeysSection.tsx';
import { passkeysQuery, twoFactorQuery } from '../../features/factors/queries.ts';
import { TwoFactorSection } from '../../features/factors/TwoFactorSection.tsx';
import { VerifyCode } from '../../features/factors/VerifyCode.tsx';
import * as m from '../../messages/closed.ts';
import { Stack } from '../../ui/Layout.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Text } from '../../ui/Text.tsx';

interface Props {
  readonly onShown: () => Promise<void>;
}

/** The factors that somebody has, to show one; for who has none, how to get one. */
export function Factors({ onShown }: Props) {
  const account = useQuery(accountQuery);
  const app = useQuery(twoFactorQuery);
  const passkeys = useQuery(passkeysQuery);
  return (
    <QueryView query={[account, app, passkeys]} loading={m.loading} failed={m.failed} rows={2} height={44}>
      {([own, { isOn }, { passkeys: keys }]) => (
        <Way account={own} hasApp={isOn} hasPasskey={keys.length > 0 && hasPasskeys()} onShown={onShown} />
      )}
    </QueryView>
  );
}

function Way({
  account: { email, hasPassword },
  hasApp,
  hasPasskey,
  onShown,
}: Props & { readonly account: Account; readonly hasApp: boolean; readonly hasPasskey: boolean }) {
  // As it was at first: the recovery codes of an app that is set up here stay until they are kept.
  const [hasOne] = useState(hasApp || hasPasskey);
  if (!hasOne) {
    return (
      <Stack gap={24}>
        <Text as="p">{m.setUpNote}</Text>
        <TwoFactorSection email={email} hasPassword={hasPassword} onSetUp={() => void onShown()} />
        <PasskeysSection hasPassword={hasPassword} onAdded={() => void onShown()} />
      </Stack>
    );
  }
  return (
    <Stack gap={12}>
      {hasApp && (
        <>
          <Text as="p">{m.verifyNote}</Text>
          <VerifyCode onDone={onShown} />
        </>
      )}
      {hasPasskey && <PasskeyButton onDone={() => void onShown()} />}
    </Stack>
  );
}
