import { api, replayToken, withLogin } from './session.js';

const bytes = (n) =>
  n < 1e6 ? `${(n / 1e3).toFixed(1)} kB` : n < 1e9 ? `${(n / 1e6).toFixed(1)} MB` : `${(n / 1e9).toFixed(2)} GB`;

function row(org, item) {
  const tr = document.createElement('tr');
  const name = document.createElement('td');
  const label = item.name || item.firstSeed || item.id;
  if (item.fileCount > 0) {
    const link = document.createElement('a');
    link.href = `/replay/?${new URLSearchParams({ oid: org.id, item: item.id })}`;
    link.textContent = label;
    // A tab of its own, which gets a token for this item alone: archived scripts must not find this tab's login.
    link.addEventListener('click', async (event) => {
      event.preventDefault();
      const token = await replayToken({ oid: org.id, kind: 'item', id: item.id });
      window.open(
        token ? `${link.href}#${new URLSearchParams({ replay_token: token })}` : link.href,
        '_blank',
        'noopener',
      );
    });
    name.append(link);
  } else name.textContent = label;
  tr.append(name);
  const cells = [item.state, item.finished ?? '', item.pageCount ?? '', bytes(item.fileSize ?? 0)];
  cells.forEach((text, i) => {
    const td = document.createElement('td');
    td.textContent = text;
    if (i > 1) td.className = 'number';
    tr.append(td);
  });
  return tr;
}

async function show() {
  const me = await api('/users/me');
  document.getElementById('who').textContent = me.email;
  const body = document.querySelector('#items tbody');
  for (const org of me.orgs.slice(0, 20)) {
    const { items } = await api(`/orgs/${org.id}/all-crawls?pageSize=50`);
    body.append(...items.map((item) => row(org, item)));
  }
  document.getElementById('items').hidden = false;
  document.getElementById('none').hidden = body.children.length > 0;
}

withLogin(document.getElementById('login'), show);
