import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { authorizationQuery, authorize, requestIn } from '../../features/oauth/queries.ts';
import * as m from '../../messages/oauth.ts';
import { Text } from '../../ui/Text.tsx';
import { Consent, type Person } from './Consent.tsx';
import { Broken, Loading } from './frames.tsx';

/** An app sent the reader here, and gets them back with a code. */
export function AuthorizeApp(person: Person) {
  // As it was written: the router would read numbers and JSON in it.
  const [request] = useState(() => requestIn(location.search));
  const { data, error } = useQuery(authorizationQuery(request));
  const fault = data?.invalid ? data.refusedUrl : undefined;
  useEffect(() => {
    if (fault !== undefined) location.assign(fault);
  }, [fault]);
  if (error) return <Broken error={error} />;
  if (!data || fault !== undefined) return <Loading title={m.title} />;
  const { client, scopes, refusedUrl } = data;
  return (
    <Consent
      {...person}
      name={client.name}
      scopes={scopes}
      onGrant={async (org, granted) => location.assign(await authorize(org, { ...request, scopes: granted }))}
      onDeny={() => location.assign(refusedUrl)}
    >
      <p>
        <Return to={client.returnsTo} /> {m.unchecked}
      </p>
    </Consent>
  );
}

function Return({ to }: { readonly to: string }) {
  if (/^(?:127\.0\.0\.1|\[::1\]|localhost)(?::|$)/.test(to)) return m.returnsToMachine;
  const place = (
    <strong translate="no">
      <Text>{to}</Text>
    </strong>
  );
  return to.endsWith(':') ? m.returnsToApp({ place }) : m.returns({ place });
}
