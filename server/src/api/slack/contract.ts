/** The Slack app of an organisation: set up, and the channels it can post to. */
import { z } from 'zod';
import { slack as texts } from '../../base/texts/slack.ts';
import { readTarget } from '../../base/outbound/index.ts';
import { invalid } from '../../base/texts/validation.ts';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, orgParams } from '../shared/schemas.ts';

const tag = 'Slack';
const url = '/organizations/:org/slack/';

const SlackApp = z
  .object({
    team: z.object({ id: z.string(), name: z.string() }).describe('Workspace.'),
    bot: z.string().describe('Name of the bot in Slack.'),
    apiUrl: z.string(),
    dateCreated: dateTime(),
    lastPressed: dateTime('Latest use of a button, since the secrets were last changed.').nullable(),
  })
  .meta({ id: 'SlackApp' });

const SlackSetup = z
  .object({
    app: SlackApp.nullable().describe('null: not connected.'),
    manifest: z.string().describe('JSON from which Slack creates the app.'),
    createUrl: z.string().describe("Slack's page that creates the app from this manifest."),
    requestUrl: z.string().describe('URL to which Slack sends the use of buttons.'),
    reachable: z.boolean().describe('false: Slack cannot send to that URL. It needs https and a public host name.'),
    channels: z.int().describe('Channels that post through the app.'),
  })
  .meta({ id: 'SlackSetup' });

export const getSlack = endpoint({
  method: 'GET',
  url,
  id: 'getSlack',
  tag,
  summary: 'Retrieve the Slack app of an organisation, and its manifest',
  access: 'org:write',
  params: orgParams,
  response: SlackSetup,
});

const token = z
  .string()
  .trim()
  .max(500)
  .regex(/^[\x21-\x7e]+$/, invalid.spaces);
const apiUrl = z
  .string()
  .trim()
  .max(500)
  .superRefine((text, context) => {
    try {
      readTarget(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : invalid.unreadable });
    }
  })
  .transform((text) => text.replace(/\/+$/, ''));

export const connectSlack = endpoint({
  method: 'PUT',
  url,
  id: 'connectSlack',
  tag,
  summary: 'Connect the Slack app, or change its secrets; omitted fields stay',
  description: 'Culprit checks the token with `auth.test`. If `apiUrl` changes, send both secrets again.',
  access: 'org:write',
  // It lets a workspace say which member somebody is.
  tokenAccess: 'org:admin',
  params: orgParams,
  body: z
    .object({
      token: token.optional().describe('Bot User OAuth Token. Never shown again.'),
      signingSecret: z
        .string()
        .trim()
        .regex(/^[0-9a-z]{32}$/i, texts.signingSecret)
        .optional()
        .describe('Signing Secret. Never shown again.'),
      apiUrl: apiUrl
        .optional()
        .describe('Default: https://slack.com/api. Private addresses need CULPRIT_OUTBOUND_ALLOW.'),
    })
    .meta({ id: 'SlackConnection' }),
  response: SlackApp,
});

export const disconnectSlack = endpoint({
  method: 'DELETE',
  url,
  id: 'disconnectSlack',
  tag,
  summary: 'Disconnect the Slack app',
  description: 'Its secrets are deleted. Channels that post through it fail until an app is connected again.',
  access: 'org:write',
  params: orgParams,
  status: 204,
});

export const listSlackChannels = endpoint({
  method: 'GET',
  url: `${url}channels/`,
  id: 'listSlackChannels',
  tag,
  summary: 'List channels of the Slack workspace, a page at a time',
  description: 'Public channels, and private ones that the app is in. Archived ones are left out.',
  access: 'org:write',
  params: orgParams,
  query: z.object({ cursor: z.string().max(500).default('').describe('`nextCursor` of the page before.') }),
  response: z
    .object({
      channels: z.array(
        z.object({
          id: z.string(),
          name: z.string().describe('Without the #.'),
          isPrivate: z.boolean(),
          isMember: z.boolean().describe('Whether the app is in it.'),
        }),
      ),
      nextCursor: z.string().describe('Empty: this is the last page.'),
    })
    .meta({ id: 'SlackChannels' }),
});
