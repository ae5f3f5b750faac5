/** Which frames are the project's own code, where SDKs that say nothing of any frame are answered for. */
import type { Frame } from '../../event.ts';
import { frameFamily } from '../../family.ts';
import { isInApp as isMarked, type Said } from '../../in-app.ts';

/** Standard libraries, and what runs programs, as their paths or modules begin or where they lie. */
export const foreign =
  /(?:^|[\\/])(?:lib|lib64)[\\/]python\d[.\d]{0,6}[\\/]|^<frozen |^<string>$|(?:^|[\\/])(?:gems|rubygems|ruby)[\\/](?:[\w.]{1,30}-)?\d{1,3}\.\d{1,3}[.\d]{0,8}[\\/]|(?:^|[\\/])(?:go|golang)[\\/](?:[\d.]+[\\/])?src[\\/](?:runtime|net|os|sync|reflect|testing)[\\/]|^\/rustc\/|[\\/]\.cargo[\\/]registry[\\/]|[\\/]\.rustup[\\/]|^\[internal\]$|^<internal:|^phar:\/\//;
export const foreignModule =
  /^(?:System|Microsoft|Newtonsoft|runtime|net\/http|reflect|testing|gunicorn|celery|django|flask|werkzeug|starlette|uvicorn|asyncio|concurrent|threading|importlib|core::|std::|alloc::|Elixir\.(?:Plug|Phoenix|GenServer|Task))(?:[.:/]|$)/;
/** Machine code says too little of itself to be told apart by names. */
const unknowable = new Set(['native', 'other']);

export function isInApp(frame: Frame, platform: string, said: Said): boolean {
  const marked = isMarked(frame, platform);
  const family = frameFamily(frame, platform);
  if (family === 'javascript' || said !== 'nothing' || marked || unknowable.has(family)) return marked;
  // Nothing was said of any frame of the stack: what is known as a library is out, the rest is the project's.
  const path = frame.abs_path ?? frame.filename ?? '';
  if (path === '' && frame.module === undefined) return false;
  if (foreign.test(path) || (frame.module !== undefined && foreignModule.test(frame.module))) return false;
  return isMarked({ ...frame, in_app: true }, platform);
}
