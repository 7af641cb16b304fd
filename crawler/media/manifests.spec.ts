import { dashUrls } from './dash.js';
import { hlsUrls } from './hls.js';

const BASE = 'https://media.test/a/index';
const at = (...paths: string[]) => paths.map((path) => `https://media.test/a/${path}`);

describe('an HLS playlist names', () => {
  it('its levels, what replay shows first, and its sound and subtitles', () => {
    const master = `#EXTM3U
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",URI="sound.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=6000000,RESOLUTION=1920x1080
full.m3u8
#EXT-X-STREAM-INF:AVERAGE-BANDWIDTH=1,BANDWIDTH=500000,RESOLUTION=640x360\r
small.m3u8\r
#EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=1280x720
https://other.test/hd.m3u8?t=1#x
`;
    expect(hlsUrls(master, BASE)).toEqual([
      'https://other.test/hd.m3u8?t=1',
      ...at('small.m3u8', 'full.m3u8', 'sound.m3u8'),
    ]);
    expect(hlsUrls(master, BASE, 1)).toEqual(['https://other.test/hd.m3u8?t=1', ...at('sound.m3u8')]);
  });

  it('its pieces with their beginning and key, each once', () => {
    const level = `#EXTM3U
#EXT-X-KEY:METHOD=AES-128,URI="key.bin",IV=0x1
#EXT-X-MAP:URI="init.mp4"
#EXTINF:4,
#EXT-X-BYTERANGE:100@0
all.mp4
#EXTINF:4,
#EXT-X-BYTERANGE:100@100
all.mp4
#EXTINF:4,
data:video/mp2t;base64,AA
# a note, URI="none"
#EXT-X-ENDLIST`;
    expect(hlsUrls(level, BASE)).toEqual(at('key.bin', 'init.mp4', 'all.mp4'));
  });
});

describe('a DASH manifest names', () => {
  const mpd = (periods: string, attributes = 'mediaPresentationDuration="PT10S"') =>
    `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" ${attributes}>${periods}</MPD>`;

  it('segments by number, for each representation, what replay shows first', () => {
    const text = mpd(`<Period><BaseURL>v/</BaseURL><AdaptationSet>
      <SegmentTemplate timescale="10" duration="40" startNumber="0" initialization="$RepresentationID$/i.mp4" media="$RepresentationID$/$Number%03d$-$$-$Bandwidth$.m4s"/>
      <Representation id="full" bandwidth="9" width="1920" height="1080"/>
      <Representation id="hd" bandwidth="5" width="1280" height="720"/>
    </AdaptationSet></Period>`);
    const of = (id: string, bandwidth: number) =>
      at(`v/${id}/i.mp4`, ...['000', '001', '002'].map((number) => `v/${id}/${number}-$-${bandwidth}.m4s`));
    expect(dashUrls(text, BASE)).toEqual([...of('hd', 5), ...of('full', 9)]);
    expect(dashUrls(text, BASE, 1)).toEqual(of('hd', 5));
  });

  it('segments by the times of a timeline, in every period', () => {
    const set = (name: string, timeline: string) =>
      `<AdaptationSet><Representation id="1"><SegmentTemplate timescale="2" media="${name}-$Time$.m4s"><SegmentTimeline>${timeline}</SegmentTimeline></SegmentTemplate></Representation></AdaptationSet>`;
    const text = mpd(
      `<Period start="PT0S">${set('a', '<S t="0" d="4" r="1"/><S d="3"/>')}</Period><Period start="PT6S">${set('b', '<S t="0" d="4" r="-1"/>')}</Period>`,
    );
    expect(dashUrls(text, BASE)).toEqual(at('a-0.m4s', 'a-4.m4s', 'a-8.m4s', 'b-0.m4s', 'b-4.m4s'));
  });

  it('lists, and whole files', () => {
    const text = mpd(`<Period><AdaptationSet>
      <Representation><SegmentList><Initialization sourceURL="i.mp4"/><SegmentURL media="1.m4s"/><SegmentURL media="2.m4s"/></SegmentList></Representation>
    </AdaptationSet><AdaptationSet><Representation><BaseURL>sound.mp4</BaseURL><SegmentBase indexRange="0-9"/></Representation></AdaptationSet></Period>`);
    expect(dashUrls(text, BASE)).toEqual(at('i.mp4', '1.m4s', '2.m4s', 'sound.mp4'));
  });

  it('no more than a crawl can fetch, however long it says that it is', () => {
    const long = mpd(
      `<Period><AdaptationSet><SegmentTemplate duration="1" media="$Number$.m4s"/><Representation id="1"/></AdaptationSet></Period>`,
      'mediaPresentationDuration="PT99999999999S"',
    );
    expect(dashUrls(long, BASE)).toHaveLength(20_000);
    expect(() => dashUrls('<MPD><Period>', BASE)).toThrow();
  });

  it.each([
    ['the same address', 'same.m4s', ['same.m4s']],
    ['what is no address', 'data:,$Number$', []],
  ])('%s no oftener than a crawl can look at it', (_what, media, paths) => {
    const set = `<AdaptationSet><SegmentTemplate duration="1" media="${media}"/><Representation id="1"/></AdaptationSet>`;
    const text = mpd(`<Period>${set.repeat(3)}</Period>`, 'mediaPresentationDuration="PT99999999999S"');
    expect(dashUrls(text, BASE)).toEqual(at(...paths));
  });
});
