import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { CodeBlock } from '../../features/code/CodeBlock.tsx';
import { addressOf, type Draft, missingIn } from '../../features/api-explorer/request.ts';
import { type Answer, type Sender, sendRequest } from '../../features/api-explorer/send.ts';
import { useSession } from '../../features/session/organization.ts';
import * as m from '../../messages/api-explorer.ts';
import { Button } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { TextField } from '../../ui/Field.tsx';
import { KeyValue, Pair } from '../../ui/KeyValue.tsx';
import { Inline, Stack } from '../../ui/Layout.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { byteSize, withUnit } from '../../ui/numbers.ts';
import { PlainForm } from '../../ui/PlainForm.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { Text } from '../../ui/Text.tsx';
import { bodyFault } from './Inputs.tsx';
import { Part } from './Part.tsx';

/** Sends the request as whoever is signed in or with a token; what changes something is asked about first. */
export function TryIt({
  draft,
  sender,
  onSender,
}: {
  readonly draft: Draft;
  readonly sender: Sender;
  readonly onSender: (sender: Sender) => void;
}) {
  const { organization } = useSession();
  const { as, token } = sender;
  const [asking, setAsking] = useState(false);
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const { method, body, path } = draft.operation;
  const sending = useMutation({
    mutationFn: () => {
      stop.current = new AbortController();
      return sendRequest({
        method,
        address: addressOf(draft),
        body: body && draft.body,
        token: as === 'token' ? token.trim() : undefined,
        signal: stop.current.signal,
      });
    },
  });
  const missing = missingIn(draft);
  const isReady =
    missing === undefined &&
    (as === 'session' || token.trim() !== '') &&
    (body === undefined || bodyFault(draft.body) === undefined);
  const send = (): void => {
    setAsking(false);
    sending.mutate();
  };
  return (
    <Part title={m.tryIt}>
      <PlainForm
        onSubmit={() => {
          if (method === 'GET') send();
          else setAsking(true);
        }}
      >
        <Stack gap={8}>
          <Segments
            label={m.as}
            value={as}
            options={[
              ['session', m.asSession],
              ['token', m.asToken],
            ]}
            onChange={(chosen) => onSender({ ...sender, as: chosen })}
          />
          {as === 'token' && (
            <TextField
              label={m.token}
              hint={m.tokenHint}
              type="password"
              mono
              autoComplete="off"
              value={token}
              onChange={(event) => onSender({ ...sender, token: event.target.value })}
            />
          )}
          <Inline>
            <Button type="submit" variant="primary" busy={sending.isPending} disabled={!isReady}>
              {m.send}
            </Button>
            {sending.isPending && <Button onClick={() => stop.current?.abort()}>{m.stop}</Button>}
            {missing !== undefined && <Text>{m.missing({ name: missing })}</Text>}
            {sending.isPending && <output>{m.sending}</output>}
          </Inline>
        </Stack>
      </PlainForm>
      {asking && (
        <Confirm
          title={m.askTitle({ method, path: addressOf(draft) })}
          action={m.askSend}
          {...(method === 'DELETE' && { typed: path.split('/').findLast((part) => /^[a-z]/.test(part)) ?? method })}
          onConfirm={send}
          onClose={() => setAsking(false)}
        >
          <p>{as === 'session' ? m.askSession({ organization: organization.name }) : m.askToken}</p>
        </Confirm>
      )}
      {sending.error && (
        <Notice tone="error" says="alert">
          <p>{sending.error.name === 'AbortError' ? m.stopped : m.notSent}</p>
        </Notice>
      )}
      {sending.data && !sending.isPending && <Response answer={sending.data} />}
    </Part>
  );
}

function Response({ answer }: { readonly answer: Answer }) {
  const { status, statusText, ms, headers, bytes, text, isJson, isCut } = answer;
  return (
    <Part title={m.response}>
      <output>
        <Text tone={status < 400 ? 'ok' : 'error'}>
          <strong>
            {status} {statusText}
          </strong>
        </Text>{' '}
        <Text>
          {withUnit(ms, 'ms')} · {byteSize(bytes)}
        </Text>
      </output>
      {isCut && <Text as="p">{m.cut}</Text>}
      {text !== '' && (
        <CodeBlock
          file={m.responseBody}
          code={text}
          // Colours take longer than the answer where it is long.
          language={isJson && text.length < 50_000 ? 'json' : 'plaintext'}
          label={m.responseBody}
        />
      )}
      <details>
        <summary>{m.headers}</summary>
        <KeyValue label={m.headers} compact boxed>
          {headers.map(([name, value]) => (
            <Pair key={name} name={<code>{name}</code>}>
              <code>{value}</code>
            </Pair>
          ))}
        </KeyValue>
      </details>
    </Part>
  );
}
