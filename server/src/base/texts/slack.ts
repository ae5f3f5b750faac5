/** What Culprit says in Slack, and of what Slack answers. */
import { number } from './intl.ts';

/** Errors of Slack's API that people can do something about; after "Slack: ". */
const refusals: Readonly<Record<string, string>> = {
  invalid_auth: 'the token is not valid. Copy the Bot User OAuth Token again',
  not_authed: 'the token is missing. Copy the Bot User OAuth Token again',
  not_allowed_token_type: 'this is not the token of a bot. Copy the Bot User OAuth Token, which starts with xoxb-',
  account_inactive: 'the app was removed from the workspace. Install it again and copy its new token',
  token_revoked: 'the token was revoked. Install the app again and copy its new token',
  token_expired: 'the token expired. Turn off token rotation in the app, install it again and copy its new token',
  access_denied: 'the workspace does not let the app in. Ask its administrator',
  team_access_not_granted: 'the app is not installed in this workspace. Install it there',
  ekm_access_denied: 'an administrator of the workspace has suspended this. Ask them',
  org_login_required: 'the workspace is moving to another organisation. Try again later',
  channel_not_found: 'there is no such channel, or it is private. Invite the app there, then choose the channel again',
  not_in_channel: 'the app is not in this channel. Write "/invite @Culprit" there',
  is_archived: 'the channel is archived. Choose another one',
  channel_is_archived: 'the channel is archived. Choose another one',
  restricted_action: 'the workspace does not let apps post there. Ask its administrator',
  restricted_action_read_only_channel: 'only some people can post in this channel. Choose another one',
  posting_to_general_channel_denied: 'apps cannot post in this channel. Choose another one',
  no_permission: 'the app has no permission for this. Install it again',
  no_service: 'the webhook was removed or is off. Create a new one',
  no_team: 'the workspace no longer exists',
  invalid_token: 'the address of the webhook is not valid. Copy it again',
  action_prohibited: 'the workspace does not let apps post there. Ask its administrator',
  msg_too_long: 'the message is too long',
  msg_blocks_too_long: 'the message is too long',
  invalid_blocks: 'the message was not accepted',
  invalid_blocks_format: 'the message was not accepted',
  message_limit_exceeded: 'the workspace reached its limit of messages',
  team_added_to_org: 'the workspace is moving to another organisation. Try again later',
  ratelimited: 'too many requests. Culprit tries again later',
  rate_limited: 'too many requests. Culprit tries again later',
  user_not_found: 'this person is not in the workspace',
  users_not_found: 'this person is not in the workspace',
  user_not_visible: 'this person is not visible to the app',
};

export const slack = {
  refused: (error: string): string => `Slack: ${refusals[error] ?? error}`,
  missingScope: (scope: string): string =>
    `Slack: the app lacks the scope ${scope}. Add it under OAuth & Permissions, then install the app again`,
  status: (status: number): string => `Slack responded with ${status}`,
  unreadable: 'Slack answered with something that is not JSON',
  notConnected: 'the Slack app is not connected. Connect it in Settings, Channels',
  botToken: 'token: must start with xoxb-. Copy the Bot User OAuth Token',
  rotates: 'token: expires after 12 hours. Turn off token rotation in the app, then copy the token again',
  signingSecret: 'must have 32 letters and digits. Copy the Signing Secret under Basic Information',
  bothNeeded: 'enter the bot token and the signing secret',
  enterAgain: 'enter the bot token and the signing secret again, because the address of the API changed',

  appDescription: 'Alerts of Culprit, with buttons to resolve, assign and archive issues.',

  resolve: 'Resolve',
  unresolve: 'Unresolve',
  archive: 'Archive',
  unarchive: 'Unarchive',
  assignToMe: 'Assign to me',
  assignTo: 'Assign to…',
  unassign: 'Unassign',
  checkButtons: 'Check the buttons',

  resolvedBy: (name: string) => (name === '' ? 'Resolved.' : `Resolved by ${name}.`),
  archivedBy: (name: string) => (name === '' ? 'Archived.' : `Archived by ${name}.`),
  reopenedBy: (name: string) => `Reopened by ${name}.`,
  unassignedBy: (name: string) => `Unassigned by ${name}.`,
  assignedTo: (name: string) => `Assigned to ${name}.`,

  works: (name: string, email: string) => `The buttons work. In Culprit you are ${name} (${email}).`,
  stranger:
    'You are from another workspace. Only people of the workspace that connected Culprit can use these buttons.',
  noEmail:
    'Slack does not tell Culprit your email address. Ask who manages the Slack app for the scope users:read.email.',
  unconfirmed: 'Slack has not confirmed your email address yet. Confirm it in Slack, then try again.',
  noPerson: 'Only people can use these buttons.',
  noMember: (email: string, organization: string) =>
    `No member of ${organization} in Culprit has the address ${email}. Ask an owner to invite it, or change your address.`,
  viewer: 'Your role in Culprit does not allow this. Ask an owner of the organisation.',
  closed: (organization: string) =>
    `${organization} can be used from certain networks only, and Slack is not in one of them. Open Culprit instead.`,
  noIssue: 'You cannot see this issue in Culprit, or it is gone.',
  otherNoMember: 'Culprit cannot assign the issue to them: no member has their address.',
  otherNoAccess: 'Culprit cannot assign the issue to them: they cannot see the project.',
  failed: (why: string) => `Culprit could not do this. ${why}`,
  digest: (digest: string) => `Something went wrong on the server. Search its log for ${digest}.`,
  moreLines: (count: number) => `and ${number(count)} more`,

  /** Why a request is not taken. */
  unsigned: 'the signature is missing',
  wrongSignature: 'the signature is wrong. Check the signing secret in Settings, Channels',
  stale: 'it is more than 5 minutes old. Check the clock of this server',
  replayed: 'it was sent before',
  malformed: 'it has no payload that can be read',
  otherWorkspace: 'it is from another workspace',
} as const;
