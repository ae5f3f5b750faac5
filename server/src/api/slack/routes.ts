/** The Slack app of an organisation: set up, and the channels it can post to. */
import type { z } from 'zod';
import { CodedError } from '../../base/errors.ts';
import { listChannels } from '../../domains/notify/index.ts';
import * as slack from '../../domains/slack/index.ts';
import { type Api, implement } from '../shared/implement.ts';
import { iso, isoOrNull } from '../shared/read.ts';
import * as contract from './contract.ts';

export function slackRoutes(api: Api): void {
  const { state, slack: running, getUrl } = api.deps;

  implement(
    api,
    contract.getSlack,
    async ({
      caller: {
        membership: { organizationId },
      },
    }) => {
      const app = await slack.findSlackApp(state, organizationId);
      const channels = await listChannels(state, organizationId);
      const manifest = slack.slackManifest(getUrl(), organizationId);
      return {
        app: app ? toShape(app) : null,
        manifest: JSON.stringify(manifest, undefined, 2),
        createUrl: slack.manifestLink(manifest),
        requestUrl: slack.requestUrl(getUrl(), organizationId),
        reachable: slack.isReachable(getUrl()),
        channels: channels.filter(({ type, config }) => type === 'slack' && config['via'] !== undefined).length,
      };
    },
  );

  implement(
    api,
    contract.connectSlack,
    async ({
      caller: {
        membership: { organizationId },
      },
      body,
      recorded,
    }) => {
      const tested = await running.connect(organizationId, body);
      return recorded(async (inside, note) => {
        const before = await slack.findSlackApp(inside, organizationId);
        await slack.storeSlackApp(inside, tested, Date.now());
        const after = await slack.findSlackApp(inside, organizationId);
        if (!after) throw new CodedError('SLACK_NOT_CONNECTED');
        // Which of its secrets is another one now; their values stand nowhere.
        const changed = { token: body.token !== undefined, signingSecret: body.signingSecret !== undefined };
        const told = {
          action: 'slack_app.update',
          before: { workspace: before?.teamName, apiUrl: before?.apiUrl, token: false, signingSecret: false },
          after: { workspace: after.teamName, apiUrl: after.apiUrl, ...changed },
        } as const;
        note(
          { id: after.teamId, name: after.teamName },
          before ? told : { action: 'slack_app.connect', details: { apiUrl: after.apiUrl } },
        );
        return toShape(after);
      });
    },
  );

  implement(
    api,
    contract.disconnectSlack,
    async ({
      caller: {
        membership: { organizationId },
      },
      recorded,
    }) => {
      await recorded(async (inside, note) => {
        const app = await slack.findSlackApp(inside, organizationId);
        if (!app) throw new CodedError('SLACK_NOT_CONNECTED');
        await slack.disconnectSlack(inside, organizationId);
        note({ id: app.teamId, name: app.teamName });
      });
    },
  );

  implement(
    api,
    contract.listSlackChannels,
    async ({
      caller: {
        membership: { organizationId },
      },
      query,
    }) => {
      const { channels, nextCursor } = await running.conversations(organizationId, query.cursor);
      return { channels: [...channels], nextCursor };
    },
  );
}

const toShape = (app: slack.SlackApp): z.output<typeof contract.connectSlack.response> => ({
  team: { id: app.teamId, name: app.teamName },
  bot: app.botName,
  apiUrl: app.apiUrl,
  dateCreated: iso(app.createdAt),
  lastPressed: isoOrNull(app.pressedAt),
});
