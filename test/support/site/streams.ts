import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { send, type Routes } from './answer.js';
import { html } from './html.js';

/** Two renditions of one clip, 64 s: fragmented MP4, which is cut into its segments here. */
const RENDITIONS = { low: rendition('low'), high: rendition('high') };
const SEGMENT_S = 4;
const SIZES = {
  low: { width: 64, height: 36, bandwidth: 20_000, codec: 'avc1.42C00A' },
  high: { width: 128, height: 72, bandwidth: 40_000, codec: 'avc1.42C00B' },
} as const;
type Name = keyof typeof SIZES;
const NAMES = Object.keys(SIZES) as Name[];
/** More than a player loads ahead. */
export const SEGMENTS = RENDITIONS.low.segments.length;

const PLAYERS: Readonly<Record<string, string>> = {
  'hls.js': 'hls.js/dist/hls.light.min.js',
  'dash.js': 'dashjs',
};

const VIDEO = '<video muted width="128" height="72"></video><p id="state">waiting</p>';
/** Says when the player has something to show. */
const WATCH = `const video = document.querySelector('video'); video.addEventListener('loadeddata', () => { document.querySelector('#state').textContent = 'has pictures of ' + Math.round(video.duration) + ' s'; });`;

/** Pages with players that play a stream piece by piece, and what these ask for. */
export function streamRoutes(): Routes {
  return [
    [
      '/hls.html',
      ({ res }) =>
        send(
          res,
          'text/html; charset=utf-8',
          html(
            'HLS',
            `${VIDEO}<script>${WATCH} const hls = new Hls(); hls.loadSource('/hls/master.m3u8'); hls.attachMedia(video);</script>`,
            '<script src="/player/hls.js"></script>',
          ),
        ),
    ],
    [
      '/dash.html',
      ({ res }) =>
        send(
          res,
          'text/html; charset=utf-8',
          html(
            'DASH',
            `${VIDEO}<script>${WATCH} dashjs.MediaPlayer().create().initialize(video, '/dash/manifest.mpd', false);</script>`,
            '<script src="/player/dash.js"></script>',
          ),
        ),
    ],
    [/^\/player\/(?:hls|dash)\.js$/, ({ res, url }) => send(res, 'text/javascript', playerScript(url.pathname))],
    ['/hls/master.m3u8', ({ res }) => send(res, 'application/vnd.apple.mpegurl', masterPlaylist())],
    [/^\/hls\/(?:low|high)\/level\.m3u8$/, ({ res }) => send(res, 'application/vnd.apple.mpegurl', levelPlaylist())],
    ['/dash/manifest.mpd', ({ res }) => send(res, 'application/dash+xml', dashManifest())],
    [
      /^\/(?:hls|dash)\/(?:low|high)\/(?:init|\d+)\.m4s$/,
      ({ res, url }) => {
        const [, , name, file] = url.pathname.split('/') as [string, string, Name, string];
        const { init, segments } = RENDITIONS[name];
        const bytes = file === 'init.m4s' ? init : segments[Number.parseInt(file, 10) - 1];
        if (bytes) send(res, 'video/mp4', bytes);
        else send(res, 'text/plain', '', 404);
      },
    ],
  ];
}

/** What a stream of the page consists of. */
export function streamPaths(kind: 'hls' | 'dash'): string[] {
  const pieces = ['init.m4s', ...Array.from({ length: SEGMENTS }, (_, i) => `${i + 1}.m4s`)];
  const files = NAMES.flatMap((name) => pieces.map((piece) => `/${kind}/${name}/${piece}`));
  return kind === 'dash'
    ? ['/dash/manifest.mpd', ...files]
    : ['/hls/master.m3u8', ...NAMES.map((name) => `/hls/${name}/level.m3u8`), ...files];
}

function masterPlaylist(): string {
  const levels = NAMES.map((name) => {
    const { width, height, bandwidth, codec } = SIZES[name];
    return `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth},RESOLUTION=${width}x${height},CODECS="${codec}"\n${name}/level.m3u8`;
  });
  return `#EXTM3U\n#EXT-X-VERSION:7\n${levels.join('\n')}\n`;
}

function levelPlaylist(): string {
  const pieces = Array.from({ length: SEGMENTS }, (_, i) => `#EXTINF:${SEGMENT_S},\n${i + 1}.m4s`);
  return `#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:${SEGMENT_S}\n#EXT-X-MAP:URI="init.m4s"\n${pieces.join('\n')}\n#EXT-X-ENDLIST\n`;
}

function dashManifest(): string {
  const representations = NAMES.map((name) => {
    const { width, height, bandwidth, codec } = SIZES[name];
    return `<Representation id="${name}" codecs="${codec}" width="${width}" height="${height}" bandwidth="${bandwidth}"/>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" profiles="urn:mpeg:dash:profile:isoff-live:2011" minBufferTime="PT4S" mediaPresentationDuration="PT${SEGMENTS * SEGMENT_S}S"><Period id="0"><AdaptationSet contentType="video" mimeType="video/mp4" segmentAlignment="true"><SegmentTemplate timescale="1" duration="${SEGMENT_S}" startNumber="1" initialization="$RepresentationID$/init.m4s" media="$RepresentationID$/$Number$.m4s"/>${representations.join('')}</AdaptationSet></Period></MPD>`;
}

function playerScript(path: string): Buffer {
  const name = path.slice('/player/'.length);
  return readFileSync(createRequire(import.meta.url).resolve(PLAYERS[name] ?? name));
}

function rendition(name: string): { init: Buffer; segments: Buffer[] } {
  const bytes = readFileSync(new URL(`./stream-${name}.mp4`, import.meta.url));
  const starts: number[] = [];
  let end = bytes.length;
  for (let at = 0; at + 8 <= bytes.length; at += bytes.readUInt32BE(at)) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'moof') starts.push(at);
    // The table of contents at the end is for players of the whole file.
    if (type === 'mfra') end = at;
  }
  const segments = starts.map((start, i) => bytes.subarray(start, starts[i + 1] ?? end));
  return { init: bytes.subarray(0, starts[0]), segments };
}
