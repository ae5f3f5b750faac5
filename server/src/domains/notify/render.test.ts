import { createHmac } from 'node:crypto';
import PostalMime from 'postal-mime';
import { describe, expect, test } from 'vitest';
import { discordMessage } from './channels/discord.ts';
import { httpKinds } from './channels/index.ts';
import { mattermostMessage } from './channels/mattermost.ts';
import { opsgenieAlert } from './channels/opsgenie.ts';
import { pagerdutyEvent } from './channels/pagerduty.ts';
import { slackMessage } from './channels/slack.ts';
import { teamsMessage } from './channels/teams.ts';
import { telegramText } from './channels/telegram.ts';
import { composeMail } from './mail/mailer.ts';
import { notification } from './testing/people.ts';

/** What an event may carry, in every place where a notification has text. */
const nasty =
  '<script>alert(1)</script> <!channel> <@U1> @everyone @here *b* _i_ `c` [x](http://evil) ||s|| & "q" \r\nBcc: a@b \ud800 \0 ~';
const hostile = (length = 1) => {
  const text = nasty.repeat(length);
  return notification({
    title: text,
    text,
    issue: { ...notification().issue!, title: text, culprit: text, release: text, environment: text },
    fields: Array.from({ length: 60 }, (_, n) => ({ name: `${n} ${text}`, value: text })),
    sections: Array.from({ length: 20 }, (_, n) => ({
      heading: `${n} ${text}`,
      lines: Array.from({ length: 60 }, () => ({ title: text, url: 'http://culprit.test/', text })),
    })),
  });
};
const context = { deliveryKey: 'alert:1', nowMs: 1_700_000_000_000, consoleUrl: 'http://culprit.test' };

type Json = null | string | number | boolean | Json[] | { [key: string]: Json };
/** All texts of a message with the key that they stand under. */
function textsOf(value: Json, key = ''): [string, string][] {
  if (typeof value === 'string') return [[key, value]];
  if (Array.isArray(value)) return value.flatMap((one) => textsOf(one, key));
  return value === null || typeof value !== 'object'
    ? []
    : Object.entries(value).flatMap(([name, one]) => textsOf(one, name));
}
const json = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

describe('texts of events mean nothing to', () => {
  test('Slack', () => {
    const message = json(slackMessage(hostile()));
    const fallbacks = textsOf(message).filter(([key, text]) => key === 'fallback' || text.includes('&lt;!channel'));
    expect(fallbacks.length).toBeGreaterThan(0);
    for (const [, text] of fallbacks) expect(text).not.toMatch(/[<>]/);
    // All else stands in elements that show letters as they are.
    expect(JSON.stringify(message)).not.toContain('"mrkdwn"');
  });

  test('Discord', () => {
    const message = json(discordMessage(hostile())) as { allowed_mentions: Json };
    expect(message.allowed_mentions).toEqual({ parse: [] });
    for (const [, text] of textsOf(message)) expect(text).not.toContain('@everyone');
    expect(JSON.stringify(message)).not.toMatch(/[^\\]\*b/);
  });

  test('Mattermost', () => {
    for (const [, text] of textsOf(json(mattermostMessage(hostile())))) {
      expect(text).not.toMatch(/@(?:here|everyone)/);
      expect(text).not.toContain('](http://evil');
    }
  });

  test('Microsoft Teams', () => {
    const message = json(teamsMessage(hostile())) as { attachments: { content: { body: { type: string }[] } }[] };
    for (const { type } of message.attachments[0]?.content.body ?? [])
      expect(type).toMatch(/^RichTextBlock$|^FactSet$/);
    for (const [key, text] of textsOf(message)) if (key === 'value') expect(text).not.toContain('](http://evil');
  });

  test('Telegram', () => {
    const text = telegramText(hostile());
    expect(text.replace(/<\/?b>|<a href="http:\/\/culprit\.test[^"]*">|<\/a>/g, '')).not.toMatch(/[<>]/);
    const opened = text.match(/<(?:b|a)[ >]/g)?.length;
    expect(text.match(/<\/(?:b|a)>/g)).toHaveLength(opened ?? -1);
  });

  test('mail', async () => {
    const footer = { why: 'Because.', settingsUrl: 'http://culprit.test/settings/notifications' };
    const input = { notification: hostile(), footer, to: 'ada@example.com', deliveryKey: 'k' };
    const { raw, from } = await composeMail('Culprit <culprit@example.com>', input);
    const mail = await PostalMime.parse(raw);
    expect(from).toBe('culprit@example.com');
    expect(mail.bcc).toBeUndefined();
    expect(mail.to).toEqual([{ address: 'ada@example.com', name: '' }]);
    expect(mail.html).not.toMatch(/<script|<img|onerror|src=/);
    expect(mail.text).toContain('<script>alert(1)</script>');
    expect(mail.headers.filter(({ key }) => key.startsWith('list-'))).toEqual([]);
    const unsubscribeUrl = `http://culprit.test/unsubscribe?token=sealed&more=${'x'.repeat(500)}`;
    const other = await composeMail('a@b.c', { ...input, footer: { ...footer, unsubscribeUrl } });
    const { headers, text, html } = await PostalMime.parse(other.raw);
    expect(headers.filter(({ key }) => key.startsWith('list-')).map(({ key, value }) => [key, value])).toEqual([
      ['list-unsubscribe', `<${unsubscribeUrl}>`],
      ['list-unsubscribe-post', 'List-Unsubscribe=One-Click'],
    ]);
    expect(text).toContain(`Unsubscribe: ${unsubscribeUrl}`);
    expect(html).toContain('<a href="http://culprit.test/unsubscribe?token=sealed&#38;more=xxx');
  });
});

describe('limits hold however long the texts are', () => {
  const long = hostile(500);
  test('Slack', () => {
    const message = json(slackMessage(long)) as { text: string; attachments: { blocks: { fields?: Json[] }[] }[] };
    expect(message.text.length).toBeLessThanOrEqual(3000);
    const [attachment] = message.attachments;
    expect(attachment?.blocks.length).toBeLessThanOrEqual(50);
    expect(attachment?.blocks.at(-1)?.fields?.length).toBeLessThanOrEqual(10);
    for (const [, text] of textsOf(message)) expect(text.length).toBeLessThanOrEqual(3000);
  });

  test('Discord', () => {
    const message = json(discordMessage(long)) as {
      embeds: { title: string; description: string; fields: { name: string; value: string }[] }[];
    };
    const { title = '', description = '', fields = [] } = message.embeds[0] ?? {};
    expect(title.length).toBeLessThanOrEqual(256);
    expect(description.length).toBeLessThanOrEqual(4096);
    expect(fields.length).toBeLessThanOrEqual(25);
    for (const { name, value } of fields) {
      expect(name.length).toBeLessThanOrEqual(256);
      expect(value.length).toBeLessThanOrEqual(1024);
    }
    const all = fields.reduce((sum, { name, value }) => sum + name.length + value.length, title.length);
    expect(all + description.length).toBeLessThanOrEqual(6000);
  });

  test.each([
    ['Microsoft Teams', 28_000, teamsMessage],
    ['Mattermost', 60_000, mattermostMessage],
  ] as const)('%s', (_name, most, render) => {
    expect(Buffer.byteLength(JSON.stringify(render(long)))).toBeLessThanOrEqual(most);
  });

  test('Telegram', () => expect(telegramText(long).length).toBeLessThanOrEqual(4096));

  test('pagers', () => {
    const event = json(pagerdutyEvent({ ...long, groupKey: 'g'.repeat(900) }, 'http://c', 0)) as {
      dedup_key: string;
      payload: { summary: string };
    };
    expect(event.dedup_key.length).toBeLessThanOrEqual(255);
    expect(event.payload.summary.length).toBeLessThanOrEqual(1024);
    const alert = json(opsgenieAlert(long)) as { message: string; description: string };
    expect(alert.message.length).toBeLessThanOrEqual(130);
    expect(alert.description.length).toBeLessThanOrEqual(15_000);
  });

  test('mail', async () => {
    const footer = { why: '', settingsUrl: 'http://c' };
    const input = { notification: long, footer, to: 'ada@example.com', deliveryKey: 'k' };
    expect((await composeMail('culprit@example.com', input)).raw.length).toBeLessThan(3_000_000);
  });
});

describe('each kind', () => {
  const configs = {
    slack: { token: 'xoxb-1', channel: '#ops' },
    discord: { url: 'https://discord.com/api/webhooks/1/x' },
    teams: { url: 'https://x.logic.azure.com/workflows/1' },
    mattermost: { url: 'https://chat.example.com/hooks/x' },
    telegram: { token: '1:AA', chat: '-100' },
    pagerduty: { key: 'r' },
    opsgenie: { key: 'g' },
    webhook: { url: 'https://example.com/hook', secret: `whsec_${Buffer.alloc(24).toString('base64')}` },
  } as const;

  test('says what happened, with the link to it', () => {
    for (const [type, config] of Object.entries(configs)) {
      const call = httpKinds[type as keyof typeof configs].call(config, notification(), context);
      expect(call.body, type).toContain('New issue in Web');
      expect(call.body, type).toContain('http://culprit.test/issues/WEB-1');
      expect(call.body, type).toContain('WEB-1');
    }
  });

  test('pagers close what they opened', () => {
    const over = notification({ severity: 'resolved' });
    const [opened, closed] = [notification(), over].map(
      (one) => JSON.parse(httpKinds.pagerduty.call(configs.pagerduty, one, context).body) as Record<string, unknown>,
    );
    expect(opened).toMatchObject({ event_action: 'trigger', payload: { severity: 'critical' } });
    expect(closed).toEqual({ routing_key: 'r', event_action: 'resolve', dedup_key: opened?.['dedup_key'] });
    expect(httpKinds.opsgenie.call(configs.opsgenie, over, context).url).toBe(
      'https://api.opsgenie.com/v2/alerts/culprit%3Aissue%3A1/close?identifierType=alias',
    );
  });

  test('webhooks are signed over id, time and body', () => {
    const call = httpKinds.webhook.call(configs.webhook, notification(), context);
    const sent = `${call.headers['webhook-id']}.${call.headers['webhook-timestamp']}.${call.body}`;
    const expected = createHmac('sha256', Buffer.alloc(24)).update(sent).digest('base64');
    expect(call.headers['webhook-signature']).toBe(`v1,${expected}`);
    expect(call.headers['idempotency-key']).toBe('alert:1');
    expect(call.confined).toBe(true);
  });

  test('mails about one issue are one thread', async () => {
    const footer = { why: '', settingsUrl: 'http://c' };
    const mails = await Promise.all(
      ['a', 'b'].map(async (deliveryKey) => {
        const input = { notification: notification(), footer, to: 'a@b.c', deliveryKey };
        return PostalMime.parse((await composeMail('culprit@example.com', input)).raw);
      }),
    );
    expect(mails[0]?.references).toBe(mails[1]?.references);
    expect(mails[0]?.subject).toBe(mails[1]?.subject);
    expect(mails[0]?.messageId).not.toBe(mails[1]?.messageId);
  });
});
