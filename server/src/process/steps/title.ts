/** What people see of an issue: title, culprit, and the facts that the title was made of. */
import { titles } from '../../base/texts/events.ts';
import type { Event, Exception, Frame } from './event.ts';
import { decidingThread } from './group/match-fingerprint-rules.ts';
import { securityReport, securityTitle } from './security-report.ts';
import type { IssueSeed } from '../types.ts';

const maxTitle = 255;
const maxTitleValue = 100;

/** `main` is the exception that the grouping chose; `customTitle` is that by a rule of the project. */
export function issueSeed(event: Event, main: Exception | undefined, customTitle?: string): IssueSeed {
  return {
    title: cut(firstLine(customTitle ?? ''), maxTitle) || titleOf(event, main),
    culprit: culpritOf(event, main),
    level: event.level,
    platform: event.platform,
    type: event.type,
    metadata: metadataOf(event, main),
  };
}

function titleOf(event: Event, main: Exception | undefined): string {
  const security = main ? undefined : securityReport(event);
  if (security) return cut(securityTitle(security), maxTitle);
  if (!main) return cut(firstLine(messageOf(event) ?? '') || titles.untitledEvent, maxTitleValue);
  const value = firstLine(main.value ?? '');
  const name = main.mechanism?.synthetic === true && main.type === undefined ? undefined : main.type;
  if (name === undefined) return cut(value || (crashFrameOf(main)?.function ?? '<unknown>'), maxTitleValue);
  return cut(value === '' ? name : `${name}: ${cut(value, maxTitleValue)}`, maxTitle);
}

/** The transaction, else where it was thrown, `module in function`, else who logged it. */
function culpritOf(event: Event, main: Exception | undefined): string {
  if (event.transaction !== undefined) return event.transaction;
  const frame =
    crashFrameOf(main) ??
    lastFrame(event.stacktrace?.frames) ??
    // Other threads say nothing of the event.
    lastFrame(decidingThread(event)?.stacktrace?.frames);
  if (!frame || isNameless(frame)) return securityCulprit(event) || cut(event.logger ?? '', 200);
  const place = frame.module ?? frame.filename ?? '';
  const name = frame.function ?? frame.symbol;
  return cut(name === undefined ? place : place === '' ? name : `${place} in ${name}`, 200);
}

/** Of a program without symbols. */
function isNameless({ module, filename, function: name = '<unknown>' }: Frame): boolean {
  return module === undefined && filename === undefined && name === '<unknown>';
}

function securityCulprit(event: Event): string {
  const report = securityReport(event)?.report;
  const directive = report?.effective_directive;
  return typeof directive === 'string' ? cut(directive, 200) : '';
}

function metadataOf(event: Event, main: Exception | undefined): Record<string, string> {
  const metadata: Record<string, string> = {};
  if (event.logger !== undefined) metadata.logger = event.logger;
  if (!main) {
    const message = messageOf(event);
    const report = securityReport(event)?.report;
    if (typeof report?.effective_directive === 'string') metadata.directive = report.effective_directive;
    if (typeof report?.blocked_uri === 'string') metadata.uri = cut(report.blocked_uri, 256);
    if (message !== undefined) metadata.title = cut(firstLine(message), maxTitleValue);
    return metadata;
  }
  if (main.type !== undefined) metadata.type = main.type;
  if (main.value !== undefined) metadata.value = cut(main.value, 1024);
  const frame = crashFrameOf(main);
  if (frame?.filename !== undefined) metadata.filename = frame.filename;
  if (frame?.function !== undefined) metadata.function = frame.function;
  return metadata;
}

function messageOf({ logentry }: Event): string | undefined {
  return logentry?.formatted ?? logentry?.message;
}

function crashFrameOf(main: Exception | undefined): Frame | undefined {
  return lastFrame(main?.stacktrace?.frames);
}

function lastFrame(frames: readonly Frame[] | undefined): Frame | undefined {
  return frames?.findLast((frame) => frame.in_app === true) ?? frames?.at(-1);
}

function firstLine(text: string): string {
  const trimmed = text.trimStart();
  const end = trimmed.search(/[\r\n]/);
  return (end < 0 ? trimmed : trimmed.slice(0, end)).trim();
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 3).toWellFormed()}...`;
}
