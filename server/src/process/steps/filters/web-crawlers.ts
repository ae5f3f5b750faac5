/** Programs that read the web for search engines, previews and models, by the User-Agent that they send. */
import { memo } from '../../../base/memo.ts';
import type { Event } from '../event.ts';
import { maxUserAgentLength } from '../user-agent/parse.ts';
import { userAgentOf, type Sender } from './sender.ts';

/**
 * Nearly all end a word in bot, crawler or spider. Some phones are called so, too (CUBOT), and applications that show
 * pages within them name themselves beside their browser (Slack, Facebook): those are people.
 */
const crawlers =
  /(?:(?<!\bcu)bots?|crawlers?|spiders?)(?:-[a-z]+)?(?=[/\s);,_+]|$)|\b(?:adsbot|mediapartners-google|feedfetcher-google|google-(?:inspectiontool|read-aloud|safety|site-verification|extended|cloudvertexbot)|googleother|storebot|apis-google|bingpreview|yahoo! slurp|slurp|sogou|yandex(?:bot|images|metrika|webmaster|video|media|blogs|pagechecker)|baiduspider|facebookexternalhit|facebookcatalog|meta-external(?:agent|fetcher)|whatsapp\/\d|skypeuripreview|embedly|ia_archiver|archive\.org_bot|chatgpt-user|oai-searchbot|claude-(?:web|user)|perplexity-user|duckassistbot|pingdom|uptimerobot|statuscake|site24x7|newrelicpinger|datadogsynthetics|chrome-lighthouse|prerender|screaming frog|w3c_validator|headless ?crawler)\b/i;

/** Phones by that name write it in front of a space or a number of a model. */
const isCrawlerText = memo((text: string) => crawlers.test(text), 2_000);

export const isCrawler = (userAgent: string): boolean =>
  userAgent !== '' &&
  isCrawlerText(userAgent.length > maxUserAgentLength ? userAgent.slice(0, maxUserAgentLength) : userAgent);

export const ofCrawler = (event: Event, sender: Sender): boolean => isCrawler(userAgentOf(event, sender));
