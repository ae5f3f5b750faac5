export {
  disconnectSlack,
  findSlackApp,
  type SlackApp,
  type SlackFields,
  type SlackStores,
  storeSlackApp,
} from './app.ts';
export { isReachable, manifestLink, requestPath, requestUrl, slackManifest } from './manifest.ts';
export { createSlack, type Slack, type SlackOptions } from './slack.ts';
