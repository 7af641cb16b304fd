/** A page of the test site: heading and paragraphs that differ from page to page, then `body`. */
export function html(title: string, body = '', head = ''): string {
  const paragraphs = Array.from({ length: 4 }, (_, i) => `<p>Paragraph ${i} of ${title}: ${words(title, i)}</p>`);
  return `<!doctype html><html><head><meta charset="utf-8"><title>${title}</title><link rel="stylesheet" href="/style.css">${head}</head><body><h1>${title}</h1>${paragraphs.join('\n')}${body}</body></html>`;
}

function words(title: string, row: number): string {
  let seed = row + 7;
  for (const char of title) seed = (seed * 33 + char.charCodeAt(0)) >>> 0;
  const out: string[] = [];
  for (let i = 0; i < 8; i++) {
    seed = (seed * 1_103_515_245 + 12_345) >>> 0;
    out.push(seed.toString(36).slice(0, 5));
  }
  return out.join(' ');
}

export function links(paths: readonly string[]): string {
  return `<ul>${paths.map((path) => `<li><a href="${path}">${path}</a></li>`).join('')}</ul>`;
}

/** Loads a picture of each src when it scrolls into view. */
export const OBSERVER_SCRIPT = `<script>
new Set(document.querySelectorAll('[data-when-seen]')).forEach((box) => new IntersectionObserver((seen, self) => {
  if (!seen[0].isIntersecting) return;
  self.disconnect();
  const img = new Image(); img.src = box.dataset.whenSeen; box.append(img);
}).observe(box));
</script>`;

/** GET, JSON POST, form POST and XHR; writes what came back into the page. */
export const FETCH_SCRIPT = `<pre id="out"></pre><script>
(async () => {
  const out = document.querySelector('#out');
  const show = (name, text) => { out.textContent += name + ': ' + text + '\\n'; };
  show('get', await (await fetch('/api/data.json?q=1')).text());
  show('json post', await (await fetch('/api/echo', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ q: 'hello', n: 1 }) })).text());
  show('form post', await (await fetch('/api/form', { method: 'POST', body: new URLSearchParams({ a: '1', b: 'two' }) })).text());
  const xhr = new XMLHttpRequest();
  xhr.open('GET', '/api/data.json?q=xhr');
  xhr.onload = () => show('xhr', xhr.responseText);
  xhr.send();
})();
</script>`;

/** Adds three screens of pictures, one each time the end comes near. */
export const SCROLL_SCRIPT = `<div id="feed"></div><script>
let batch = 0, busy = false;
async function more() {
  if (busy || batch >= 3) return;
  busy = true; batch++;
  const items = await (await fetch('/api/feed.json?batch=' + batch)).json();
  for (const item of items) {
    const box = document.createElement('div'); box.style.minHeight = '400px';
    box.innerHTML = '<p>' + item.text + '</p><img src="' + item.image + '">';
    document.querySelector('#feed').append(box);
  }
  busy = false;
}
addEventListener('scroll', () => { if (scrollY + innerHeight > document.body.scrollHeight - 300) more(); });
more();
</script>`;

/** Asked for when the page has loaded, and answered seconds later; one answer brings the next, one comes line by line. */
export const LATE_SCRIPT = `<pre id="late"></pre><script>
const late = document.querySelector('#late');
addEventListener('load', async () => {
  late.before(Object.assign(new Image(64, 48), { src: '/late/5000/picture.png' }));
  fetch('/late/3000/lines.ndjson').then(async (answer) => {
    let text = '';
    for await (const part of answer.body.pipeThrough(new TextDecoderStream())) text += part;
    late.append(text.trim().split('\\n').length + ' lines ');
  });
  const { q } = await (await fetch('/late/7000/data.json?q=late')).json();
  late.append(q + ' ');
  late.before(Object.assign(new Image(64, 48), { src: '/late/1000/' + q + '.png' }));
});
</script>`;
