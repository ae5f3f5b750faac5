import { CodeBlock } from '../../features/code/CodeBlock.tsx';
import { useMay, useOrg } from '../../features/session/organization.ts';
import { tokenLine } from '../../features/source-maps/upload-snippets.ts';
import { useReminder } from '../../features/tokens/use-reminder.ts';
import * as m from '../../messages/project-setup.ts';
import { Button } from '../../ui/Button.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { TokenIcon } from '../../ui/icons.ts';
import { Notice } from '../../ui/Notice.tsx';
import { localDay } from '../../ui/relative-time.ts';
import { Step } from './Steps.tsx';
import type { BuildToken } from './use-build-token.ts';

/** Sets the token that a build uploads with, and makes one by a click. */
export function TokenStep({
  token,
  within,
}: {
  readonly token: BuildToken;
  /** The part of the page. */ readonly within: string;
}) {
  const mayCreate = useMay('org:ci');
  const reminder = useReminder(useOrg());
  return (
    <Step
      level={3}
      title={m.token}
      end={
        mayCreate && (
          <Button
            size="small"
            icon={<TokenIcon size={14} />}
            busy={token.isPending}
            disabled={token.isSuccess}
            onClick={() => token.mutate()}
          >
            {token.isSuccess ? m.tokenCreated : m.createToken}
          </Button>
        )
      }
    >
      <FormError error={token.error} />
      <CodeBlock
        file={m.buildEnvironment}
        code={tokenLine(token.data?.token)}
        language="sh"
        label={`${m.token}, ${within}`}
      />
      {token.data && (
        <Notice tone="ok" says="status">
          <p>{m.tokenOnce}</p>
          {token.data.expiresAt && (
            <p>{m.tokenExpires({ day: localDay(Date.parse(token.data.expiresAt)), reminder })}</p>
          )}
        </Notice>
      )}
    </Step>
  );
}
