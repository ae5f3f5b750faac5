import { type Logger, pino } from 'pino';

/** Structured log on stdout; readable lines on a terminal. Headers that carry secrets never reach it. */
export function createLogger(level: string, { pretty = false }: { pretty?: boolean } = {}): Logger {
  return pino({
    level,
    base: undefined,
    redact: ['req.headers.authorization', 'req.headers.cookie', 'req.headers["x-sentry-auth"]'],
    ...(pretty
      ? { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss' } } }
      : {}),
  });
}
