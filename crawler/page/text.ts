import type { CDPSession } from 'playwright-core';

const SKIPPED_PARENTS = new Set(['SCRIPT', 'STYLE', 'HEADER', 'FOOTER', 'NOSCRIPT', 'TITLE', 'TEMPLATE']);
const TEXT_NODE = 3;

/**
 * The text of a page with its frames, one line per text node. Crawl and quality check share this function, because
 * their texts are compared.
 */
export async function extractText(session: CDPSession): Promise<string> {
  const { documents, strings } = await session.send('DOMSnapshot.captureSnapshot', { computedStyles: [] });
  const lines: string[] = [];
  for (const { nodes } of documents) {
    const types = nodes.nodeType ?? [];
    const names = nodes.nodeName ?? [];
    const values = nodes.nodeValue ?? [];
    const parents = nodes.parentIndex ?? [];
    for (let i = 0; i < types.length; i++) {
      if (types[i] !== TEXT_NODE) continue;
      const parent = parents[i] ?? -1;
      if (parent >= 0 && SKIPPED_PARENTS.has(strings[names[parent] ?? -1] ?? '')) continue;
      const text = (strings[values[i] ?? -1] ?? '').trim();
      if (text) lines.push(text);
    }
  }
  return lines.join('\n');
}
