import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { bootQuery } from '../../features/session/boot.ts';
import * as m from '../../messages/oauth.ts';
import { useTitle } from '../../ui/title.ts';
import { AuthorizeApp } from './AuthorizeApp.tsx';
import { ConnectDevice } from './ConnectDevice.tsx';
import { Broken, Loading } from './frames.tsx';

const route = getRouteApi('/oauth/$way');

/** Where a person lets an app in: sent here by it, or with a code that it shows. */
export function OAuthPage() {
  const { way } = route.useParams();
  const isDevice = way === 'device';
  const title = isDevice ? m.deviceTitle : m.title;
  useTitle(title);
  const { href } = useLocation();
  const { data: boot, error } = useQuery(bootQuery);
  if (error) return <Broken error={error} />;
  if (!boot) return <Loading title={title} />;
  const { user } = boot.self;
  if (!user) return <Leave to="/sign-in" next={href} title={title} />;
  if (boot.organizations.length === 0) return <Leave to="/closed" title={title} />;
  const person = { email: user.email, organizations: boot.organizations };
  return isDevice ? <ConnectDevice {...person} /> : <AuthorizeApp {...person} />;
}

/** Once: where to, and what for, changes while this page is left. */
function Leave({
  to,
  next,
  title,
}: {
  readonly to: '/sign-in' | '/closed';
  readonly next?: string;
  readonly title: string;
}) {
  const navigate = useNavigate();
  const [first] = useState({ to, search: next === undefined ? {} : { next } });
  useEffect(() => void navigate({ ...first, replace: true }), [first, navigate]);
  return <Loading title={title} />;
}
