/** The Slack app of this installation, as Slack makes it from a manifest. Pure. */
import { isIP } from 'node:net';
import { isPublicAddress } from '../../base/outbound/index.ts';
import { slack as texts } from '../../base/texts/slack.ts';

/** What the app needs: to post, to show its channels, and to know people by their address. */
export const botScopes = [
  'chat:write',
  'chat:write.public',
  'channels:read',
  'groups:read',
  'users:read',
  'users:read.email',
] as const;

const name = 'Culprit';

export const requestPath = '/slack/:organization/actions';

/** Where Slack sends presses. */
export const requestUrl = (publicUrl: string, organizationId: string): string =>
  `${publicUrl}${requestPath.replace(':organization', encodeURIComponent(organizationId))}`;

/** See https://docs.slack.dev/reference/app-manifest. */
export const slackManifest = (publicUrl: string, organizationId: string) => ({
  display_information: { name, description: texts.appDescription, background_color: '#1d1d20' },
  features: { bot_user: { display_name: name, always_online: false } },
  oauth_config: { scopes: { bot: [...botScopes] } },
  settings: {
    interactivity: { is_enabled: true, request_url: requestUrl(publicUrl, organizationId) },
    org_deploy_enabled: false,
    socket_mode_enabled: false,
    token_rotation_enabled: false,
  },
});

/** A page of Slack that makes the app of this manifest. */
export const manifestLink = (manifest: object): string =>
  `https://api.slack.com/apps?new_app=1&manifest_json=${encodeURIComponent(JSON.stringify(manifest))}`;

/** Whether Slack can send anything to this address: it takes https alone, and must find the host. */
export function isReachable(publicUrl: string): boolean {
  if (!URL.canParse(publicUrl)) return false;
  const { protocol, hostname } = new URL(publicUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol !== 'https:') return false;
  return isIP(host) ? isPublicAddress(host) : host.includes('.') && !/\.(?:local|localhost|internal|test)$/.test(host);
}
