import { eventually } from './eventually.js';
import { Player } from './player.js';
import { WaczFile } from './wacz-file.js';

/** Of one archive: enough to see that it replays, and soon done. */
const MOST_PAGES = 3;
/** Covers a browser on a machine that several test runs share. */
const SHOWN_MS = 180_000;
/** A page that is not there by then is opened anew. */
const AGAIN_MS = 60_000;

interface Expected {
  url: string;
  ts: string;
  /** Of the title and of the text, without blanks: where one element ends and the next begins looks different. */
  lines: string[];
}

/**
 * Replays the first HTML pages of an archive in ReplayWeb.page and finds in each what the crawler saw of it.
 * @param paths all WACZs of the archive: pages of one may refer to another
 * @returns how many pages it replayed; @throws what a page shows that does not show its text
 */
export async function pagesReplayed(paths: readonly string[]): Promise<number> {
  const pages = paths.flatMap((path) => htmlPagesOf(new WaczFile(path))).slice(0, MOST_PAGES);
  if (pages.length === 0) return 0;
  const player = await Player.open(...paths);
  try {
    for (const page of pages) await eventually(() => showsAll(player, page), SHOWN_MS);
  } finally {
    await player.close();
  }
  return pages.length;
}

async function showsAll(player: Player, { url, ts, lines }: Expected): Promise<void> {
  await player.show(url, ts);
  await eventually(
    async () => {
      const shown = await player.textOf(url);
      const packed = linesOf(shown ?? '').join('');
      const missing = lines.filter((line) => !packed.includes(line));
      if (shown === null || missing.length > 0)
        throw new Error(`${url} replays without ${missing.join(' ')}: ${shown ?? 'nothing'}`);
    },
    AGAIN_MS,
    100,
  );
}

/** Pages that were answered with 200 and HTML, themselves and not by way of a redirect. */
function htmlPagesOf(wacz: WaczFile): Expected[] {
  return wacz.pages.flatMap((page) => {
    const { url, ts, title = '', status, mime } = page as Record<string, string | number | undefined>;
    const isItself = wacz.lines(String(url)).some((line) => line.status === '200');
    if (status !== 200 || mime !== 'text/html' || !isItself) return [];
    const [line] = wacz.lines(`urn:text:${String(url)}`);
    const text = line ? wacz.body(line).toString('utf8') : '';
    return [{ url: String(url), ts: String(ts), lines: linesOf(`${String(title)}\n${text}`) }];
  });
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.replace(/\s+/g, ''))
    .filter(Boolean);
