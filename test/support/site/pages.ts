import { FETCH_SCRIPT, html, LATE_SCRIPT, links, OBSERVER_SCRIPT, SCROLL_SCRIPT } from './html.js';

/** Pages that every crawl of the site visits. */
export const ORDINARY = [
  '/gzip.html',
  '/br.html',
  '/latin1.html',
  '/chunked.html',
  '/js.html',
  '/lazy.html',
  '/scroll.html',
  '/video.html',
  '/frames.html',
  '/sw.html',
  '/worker.html',
  '/redirect',
  '/missing.html',
  '/error.html',
  '/doc.pdf',
  '/download',
  '/dialogs.html',
  '/popup.html',
  '/spa.html',
  '/same-a.html',
  '/same-b.html',
  '/cookies.html',
  '/members.html',
  '/slow.html',
  '/deep/1.html',
] as const;

/** Pages that hold a crawler up; linked from `/nasty.html` alone. */
export const NASTY = [
  '/hang.html',
  '/stream.html',
  '/never.html',
  '/redirect-loop',
  '/storm.html',
  '/schemes.html',
  '/many-links.html',
] as const;

/** Opens a window as soon as it is shown, but not in a replay: there the player shows it in place of the page. */
const opening = (path: string): string => `<script>if (!window.__WB_replay_top) window.open('${path}');</script>`;

const spacer = '<div style="height:1500px"></div>';

/** Pages that are the same for every request. */
export function fixedPages(otherUrl: string): Map<string, string> {
  const pages = new Map<string, string>();
  const lazyImages = Array.from(
    { length: 6 },
    (_, i) => `${spacer}<img loading="lazy" src="/img/lazy-${i}.png" width="64" height="48">`,
  );
  const seen = Array.from(
    { length: 6 },
    (_, i) => `${spacer}<div data-when-seen="/img/seen-${i}.png" style="height:60px"></div>`,
  );
  pages.set(
    '/',
    html(
      'Home',
      links(ORDINARY) + '<img src="/img/logo.png"><img src="/img/s0.png" srcset="/img/s1.png 1x, /img/s2.png 2x">',
      '<link rel="icon" href="/img/icon.png">',
    ),
  );
  pages.set('/nasty.html', html('Nasty', links(NASTY)));
  pages.set('/gallery/', html('Gallery', links(['/gallery/river.html', '/gallery/posters.html'])));
  pages.set('/gallery/river.html', html('River', '<img src="/img/river.png" width="640" height="480">'));
  // The address of the poster is another one at each visit, so that no archive has the one that is asked for.
  pages.set(
    '/gallery/posters.html',
    html(
      'Posters',
      `<script>const [which] = crypto.getRandomValues(new Uint32Array(1)); document.body.append(Object.assign(new Image(1600, 900), { alt: '', src: '/gallery/poster-' + which + '.svg' }));</script>`,
    ),
  );
  pages.set('/js.html', html('Scripts', FETCH_SCRIPT));
  pages.set('/lazy.html', html('Lazy', lazyImages.join('') + seen.join('') + OBSERVER_SCRIPT));
  pages.set('/scroll.html', html('Infinite scroll', SCROLL_SCRIPT));
  pages.set(
    '/video.html',
    html('Video', '<video src="/media/clip.webm" width="160" height="90" preload="auto" muted></video>'),
  );
  pages.set(
    '/frames.html',
    html(
      'Frames',
      `<iframe src="/inner.html" width="400" height="200"></iframe><iframe src="${otherUrl}/inner.html" width="400" height="200"></iframe>`,
    ),
  );
  pages.set('/inner.html', html('Inner', '<img src="/img/inner.png">'));
  pages.set(
    '/sw.html',
    html(
      'Service worker',
      `<p id="sw">none</p><script>navigator.serviceWorker?.register('/sw.js').catch(() => 0);</script>`,
    ),
  );
  pages.set(
    '/worker.html',
    html(
      'Worker',
      `<p id="w">waiting</p><script>const w = new Worker('/worker.js'); w.onmessage = (e) => { document.querySelector('#w').textContent = e.data; };</script>`,
    ),
  );
  pages.set('/late.html', html('Late', LATE_SCRIPT));
  pages.set('/redirected.html', html('Redirected'));
  pages.set(
    '/dialogs.html',
    html(
      'Dialogs',
      `<script>addEventListener('beforeunload', (e) => { e.preventDefault(); e.returnValue = 'stay'; }); setTimeout(() => { alert('one'); confirm('two'); prompt('three'); window.print(); document.title = 'Dialogs done'; }, 50);</script>`,
    ),
  );
  pages.set('/popup.html', html('Popup', opening('/opened.html')));
  pages.set('/opened.html', html('Opened'));
  pages.set('/opener.html', html('Opener', opening('/reluctant.html')));
  pages.set(
    '/spa.html',
    html(
      'Routes',
      `${links(['#/one', '#/two'])}<p id="view"></p><script>const show = () => { document.querySelector('#view').textContent = 'View ' + location.hash; document.title = 'Routes ' + location.hash; }; addEventListener('hashchange', show); show();</script>`,
    ),
  );
  pages.set('/same-a.html', html('Same A', '<img src="/copy/a/shared.png">'));
  pages.set('/same-b.html', html('Same B', '<img src="/copy/b/shared.png">'));
  pages.set('/slow.html', html('Slow'));
  pages.set('/hang.html', html('Hang', '<img src="/hang.png">'));
  pages.set(
    '/stream.html',
    html(
      'Streams',
      `<p id="n">0</p><script>let n = 0; const count = () => { document.querySelector('#n').textContent = 'messages ' + Math.min(++n, 1); }; new EventSource('/events').onmessage = count; fetch('/endless').catch(() => 0);</script>`,
    ),
  );
  pages.set(
    '/storm.html',
    html(
      'Storm',
      `<script>for (let i = 0; i < 30; i++) window.open('/opened.html?' + i); for (let i = 0; i < 30; i++) alert(i);</script>`,
    ),
  );
  pages.set(
    '/schemes.html',
    html(
      'Schemes',
      `<a href="file:///etc/passwd">file</a><a href="chrome://version">chrome</a><a href="javascript:alert(1)">js</a><a href="mailto:a@b.example">mail</a><a href="data:text/html,hi">data</a>`,
    ),
  );
  pages.set(
    '/many-links.html',
    html(
      'Many links',
      `<script>const box = document.createElement('div'); box.innerHTML = Array.from({ length: 20000 }, (_, i) => '<a href="/elsewhere/' + i + '">' + i + '</a>').join(''); document.body.append(box);</script>`,
    ),
  );
  return pages;
}

/** `/deep/N.html` links to the next, five levels. */
export function deepPage(level: number): string {
  return html(`Level ${level}`, level < 5 ? links([`/deep/${level + 1}.html`]) : '');
}

/** One of the 50 static pages for benchmarks: text, two pictures of its own, a shared one, links to all. */
export function staticPage(index: number, count: number): string {
  const pictures = ['a', 'b'].map((name) => `<img src="/img/static-${index}-${name}.png">`).join('');
  const all = Array.from({ length: count }, (_, i) => `/static/${i}.html`);
  return html(`Static ${index}`, `${pictures}<img src="/img/shared.png">${links(all)}`);
}
