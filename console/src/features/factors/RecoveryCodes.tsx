import * as m from '../../messages/factors.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Columns, Inline, Stack } from '../../ui/Layout.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Text } from '../../ui/Text.tsx';

/** Shown this one time. */
export function RecoveryCodes({
  codes,
  email,
  said,
  onKept,
}: {
  readonly codes: readonly string[];
  readonly email: string;
  /** What has just happened. */
  readonly said?: string;
  readonly onKept: () => void;
}) {
  const title = m.fileTitle({ email, host: location.host });
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${title}\n\n${codes.join('\n')}\n`)}`;
  return (
    <Stack gap={12}>
      {said && (
        <Notice tone="ok" says="status">
          {said}
        </Notice>
      )}
      <Text as="p">{m.codesNote}</Text>
      <div role="group" aria-label={m.codes}>
        <Columns min={110} gap={8}>
          {codes.map((code) => (
            <code key={code}>{code}</code>
          ))}
        </Columns>
      </div>
      <Inline>
        <CopyButton text={codes.join('\n')} label={m.copyCodes}>
          {m.copy}
        </CopyButton>
        <a href={file} download="culprit-recovery-codes.txt" className={buttonClass('normal', 'small')}>
          {m.download}
        </a>
        <Button size="small" variant="primary" onClick={onKept}>
          {m.codesKept}
        </Button>
      </Inline>
    </Stack>
  );
}
