import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { CodeBlock } from '../../features/code/CodeBlock.tsx';
import type { Operation } from '../../features/api-explorer/document.ts';
import type { Draft } from '../../features/api-explorer/request.ts';
import type { Sender } from '../../features/api-explorer/send.ts';
import { asClient, asCurl } from '../../features/api-explorer/request-snippets.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/api-explorer.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Inline, Stack } from '../../ui/Layout.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { Text } from '../../ui/Text.tsx';
import styles from './ApiExplorer.module.css';
import { FieldList, Inputs } from './Inputs.tsx';
import { Method } from './OperationList.tsx';
import { Part } from './Part.tsx';
import { TryIt } from './TryIt.tsx';

/** An operation: what it is for, what it takes, and the request that is put together with it. */
export function OperationPanel({
  operation,
  sender,
  onSender,
}: {
  readonly operation: Operation;
  readonly sender: Sender;
  readonly onSender: (sender: Sender) => void;
}) {
  const org = useOrg();
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() => startOf(operation, org));
  const [body, setBody] = useState(operation.body?.example ?? '');
  const draft: Draft = { operation, values, body };
  const { id, method, path, summary, description, response } = operation;
  return (
    <article aria-label={summary}>
      <Stack gap={16}>
        <Link from="/settings/api-explorer" to="." search={({ q, tag }) => ({ q, tag })} className={styles.back}>
          {m.back}
        </Link>
        <Inline align="apart">
          <h3>{summary}</h3>
          <CopyButton text={() => location.href} label={m.copyLink} />
        </Inline>
        <p className={styles.address}>
          <Method of={method} /> <code translate="no">{path}</code>
        </p>
        {description && <Text as="p">{description}</Text>}
        <p>
          <strong>{m.scopes}:</strong> <Scopes of={operation} />
        </p>
        <Inputs operation={operation} values={values} body={body} onValues={setValues} onBody={setBody} />
        {operation.body && operation.body.fields.length > 0 && <FieldList fields={operation.body.fields} />}
        <TryIt draft={draft} sender={sender} onSender={onSender} />
        <Code draft={draft} />
        <Part title={response.isRefusal ? m.exampleRefusal : m.exampleResponse}>
          {response.isRefusal && <Text as="p">{m.refusalHint}</Text>}
          {response.text === undefined ? (
            <Text as="p">
              {response.status}: {m.emptyResponse}
            </Text>
          ) : (
            <CodeBlock
              file={response.status}
              code={response.text}
              language={response.isJson ? 'json' : 'plaintext'}
              label={`${m.exampleResponse}, ${id}`}
            />
          )}
        </Part>
      </Stack>
    </article>
  );
}

/** What the path needs is known of the caller or of the example; the rest is left to who asks. */
const startOf = ({ parameters }: Operation, org: string): Record<string, string> =>
  Object.fromEntries(
    parameters.flatMap(({ name, required, example }) =>
      name === 'org' ? [[name, org]] : required && example ? [[name, example]] : [],
    ),
  );

function Scopes({ of: { scopes, tokenScopes } }: { readonly of: Operation }) {
  const list = (names: readonly string[]) =>
    names.map((name, index) => (
      <span key={name}>
        {index > 0 && ` ${m.or} `}
        <code>{name}</code>
      </span>
    ));
  if (scopes.length === 0) return m.scopesPublic;
  const shown = scopes[0] === 'user' ? m.scopesUser : list(scopes);
  return tokenScopes.length > 0 ? m.scopesToken({ scopes: shown, token: list(tokenScopes) }) : shown;
}

function Code({ draft }: { readonly draft: Draft }) {
  const [kind, setKind] = useState<'curl' | 'client'>('curl');
  const code = kind === 'curl' ? asCurl(draft, location.origin) : asClient(draft, location.origin);
  return (
    <Part
      title={m.code}
      actions={
        <Segments
          label={m.code}
          value={kind}
          options={[
            ['curl', m.curl],
            ['client', m.client],
          ]}
          onChange={setKind}
        />
      }
    >
      <CodeBlock
        file={kind === 'curl' ? m.curl : m.client}
        code={code}
        language={kind === 'curl' ? 'sh' : 'typescript'}
        label={kind === 'curl' ? m.curl : m.client}
      />
      <Link to="/settings/tokens" className={buttonClass('ghost', 'small')}>
        {m.tokens}
      </Link>
    </Part>
  );
}
