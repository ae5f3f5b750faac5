/**
 * Messages for Slack, in Block Kit. Texts of events stand in elements that show letters as they are: nothing in them is a
 * link, a mention or an emoji. Only the fallback is mrkdwn, and escaped. Pure.
 */
import { slack as texts } from '../../../base/texts/slack.ts';
import type { IssueStatus } from '../../../ports/state/schema.ts';
import { contentOf } from '../content.ts';
import { cut, cutEscaped, escapeSlack, oneLine } from '../text.ts';
import type { Notification, NotificationLine } from '../types.ts';

/** Of all lists of a message together, with their links: Slack refuses blocks of more than some 13,000 characters. */
const mostListed = 5_000;
/** Slack's own: of a link, of the text of a message, of a block's id. */
const limits = { url: 3_000, fallback: 3_000, blockId: 255 };
const maxFacts = 10;

type Style = { readonly bold: true };

const word = (value: string, style?: Style): unknown => ({ type: 'text', text: value, ...(style && { style }) });
const link = (url: string, text: string, style?: Style): unknown => ({
  type: 'link',
  url: cut(url, limits.url),
  text,
  ...(style && { style }),
});
const section = (...elements: unknown[]): unknown => ({ type: 'rich_text_section', elements });
const plain = (text: string): unknown => ({ type: 'plain_text', text, emoji: false });

/** What the notification says, without what can be done about it. */
export function slackBlocks(notification: Notification): unknown[] {
  const { title, text, facts } = contentOf(notification);
  const elements: unknown[] = [section(link(notification.url, cut(title, 300), { bold: true }))];
  if (text !== '') elements.push(section(word(cut(text, 2000))));
  let left = mostListed;
  for (const { heading, lines } of notification.sections ?? []) {
    const name = cut(oneLine(heading), 200);
    const { shown, spent } = linesWithin(lines.slice(0, 20), left - name.length);
    if (shown.length === 0) break;
    left -= spent + name.length;
    const rest = lines.length - shown.length;
    elements.push(section(word(name, { bold: true })));
    const more = rest > 0 ? [section(word(texts.moreLines(rest)))] : [];
    elements.push({ type: 'rich_text_list', style: 'bullet', elements: [...shown, ...more] });
  }
  const blocks: unknown[] = [{ type: 'rich_text', elements }];
  if (facts.length > 0) {
    const fields = facts.slice(0, maxFacts).map(({ name, value }) => plain(cut(`${name}: ${value}`, 300)));
    blocks.push({ type: 'section', fields });
  }
  return blocks;
}

function linesWithin(lines: readonly NotificationLine[], most: number): { shown: unknown[]; spent: number } {
  const shown: unknown[] = [];
  let spent = 0;
  for (const { url, title, text } of lines) {
    const name = cut(oneLine(title), 200);
    const about = text === '' ? '' : ` ${cut(oneLine(text), 200)}`;
    const cost = url.length + name.length + about.length;
    if (spent + cost > most) break;
    spent += cost;
    shown.push(section(url ? link(url, name) : word(name), ...(about === '' ? [] : [word(about)])));
  }
  return { shown, spent };
}

export const slackFallback = (notification: Notification): string =>
  cutEscaped(contentOf(notification).title, limits.fallback, escapeSlack);

/** What can be done with an issue from a message. */
export const slackActions = [
  'resolve',
  'unresolve',
  'archive',
  'unarchive',
  'assign_me',
  'assign',
  'unassign',
  'check',
] as const;

export type SlackAction = (typeof slackActions)[number];

/** How an issue is by now; names are of members. */
export interface SlackIssueState {
  readonly status: IssueStatus;
  /** Who has brought it there; '' for nobody in particular. */
  readonly statusBy: string;
  /** '' for nobody. */
  readonly assignee: string;
  /** Who has just reopened it, or taken it from somebody; '' where that is not so. */
  readonly reopenedBy: string;
  readonly unassignedBy: string;
}

/** As an issue is when nothing has been done about it from Slack. */
const freshState = (status: IssueStatus): SlackIssueState => ({
  status,
  statusBy: '',
  assignee: '',
  reopenedBy: '',
  unassignedBy: '',
});

/** What a press refers to. It stands in the id of the block, which Slack gives back with each of its elements. */
export interface SlackReference {
  readonly issueId: number;
  /** Of the delivery that brought the message. */
  readonly deliveryKey: string;
}

/** Slack wants another id each time a message changes. */
const blockIdOf = ({ issueId, deliveryKey }: SlackReference, nowMs: number): string =>
  `${issueId}.${nowMs.toString(36)}.${deliveryKey}`.slice(0, limits.blockId);

export function referenceIn(blockId: string): SlackReference | undefined {
  const [, id, deliveryKey = ''] = /^(\d{1,9})\.[0-9a-z]{1,12}\.(.*)$/s.exec(blockId) ?? [];
  return id === undefined ? undefined : { issueId: Number(id), deliveryKey };
}

const button = (action: SlackAction, text: string, style?: 'primary'): unknown => ({
  type: 'button',
  action_id: action,
  text: plain(text),
  ...(style && { style }),
});

export interface SlackMessage {
  readonly text: string;
  readonly blocks: readonly unknown[];
}

/** As the Slack app posts it: with buttons, and who did what. */
export function slackAppMessage(
  notification: Notification,
  { deliveryKey, nowMs, state }: { deliveryKey: string; nowMs: number; state?: SlackIssueState },
): SlackMessage {
  const { issue, kind, severity } = notification;
  const blocks = slackBlocks(notification);
  if (issue) {
    const shown = state ?? freshState(severity === 'resolved' ? 'resolved' : 'unresolved');
    const said = sentences(shown);
    if (said !== '') blocks.push({ type: 'context', elements: [plain(cut(said, 1_000))] });
    const reference = { issueId: issue.id, deliveryKey };
    blocks.push({ type: 'actions', block_id: blockIdOf(reference, nowMs), elements: elementsOf(shown) });
  }
  if (kind === 'test') {
    const reference = { issueId: 0, deliveryKey };
    const elements = [button('check', texts.checkButtons)];
    blocks.push({ type: 'actions', block_id: blockIdOf(reference, nowMs), elements });
  }
  return { text: slackFallback(notification), blocks };
}

function sentences({ status, statusBy, assignee, reopenedBy, unassignedBy }: SlackIssueState): string {
  return [
    status === 'resolved' && texts.resolvedBy(oneLine(statusBy)),
    status === 'archived' && texts.archivedBy(oneLine(statusBy)),
    reopenedBy !== '' && texts.reopenedBy(oneLine(reopenedBy)),
    assignee !== '' && texts.assignedTo(oneLine(assignee)),
    unassignedBy !== '' && texts.unassignedBy(oneLine(unassignedBy)),
  ]
    .filter((sentence) => sentence !== false)
    .join(' ');
}

function elementsOf({ status, assignee }: SlackIssueState): unknown[] {
  const people = [
    button('assign_me', texts.assignToMe),
    { type: 'users_select', action_id: 'assign' satisfies SlackAction, placeholder: plain(texts.assignTo) },
    ...(assignee === '' ? [] : [button('unassign', texts.unassign)]),
  ];
  switch (status) {
    case 'resolved':
      return [button('unresolve', texts.unresolve), ...people];
    case 'archived':
      return [button('unarchive', texts.unarchive), ...people];
    case 'unresolved':
      return [button('resolve', texts.resolve, 'primary'), button('archive', texts.archive), ...people];
  }
}
