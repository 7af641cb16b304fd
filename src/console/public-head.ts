import type { INestApplication } from '@nestjs/common';
import type { Request } from 'express';
import { PublicPreviews, type PublicPreview } from '../collections/public/public-previews.js';
import { addressOf } from '../common/http/request-address.js';
import { escapedHtml } from '../common/text/html.js';
import { Links } from '../links/links.js';

/** Makes the part of a page's head that tells what the page is; null where nobody may know. */
export type PublicHead = (request: Request) => Promise<string | null>;

/** `/explore/<org>` and `/explore/<org>/collections/<collection>`. */
const PAGE = /^\/explore\/([^/]+)(?:\/collections(?:\/([^/]+))?)?\/?$/;
const LONGEST = 300;

/** Text in one line. */
const escaped = (text: string): string => escapedHtml(text.replace(/\s+/g, ' '));

/** `%zz` in an address names no page. */
function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** The title, and the Open Graph tags that chats and social networks read. */
export function headOf({ title, description, image }: PublicPreview, address: string): string {
  const short = description.length > LONGEST ? `${description.slice(0, LONGEST)} …` : description;
  const property = (name: string, content: string): string =>
    content === '' ? '' : `<meta property="og:${name}" content="${escaped(content)}" />`;
  return [
    `<title>${escaped(title)}</title>`,
    short === '' ? '' : `<meta name="description" content="${escaped(short)}" />`,
    property('type', 'website'),
    property('title', title),
    property('description', short),
    property('url', address),
    property('image', image ?? ''),
  ]
    .filter((tag) => tag !== '')
    .join('\n    ');
}

/** Reads the previews of public pages. A page is served without them when the database cannot be asked. */
export function publicHead(app: INestApplication): PublicHead {
  return async (request) => {
    const [, org, collection] = PAGE.exec(request.path) ?? [];
    const orgSlug = org === undefined ? null : decoded(org);
    const slug = collection === undefined ? undefined : decoded(collection);
    if (orgSlug === null || slug === null) return null;
    const previews = app.get(PublicPreviews, { strict: false });
    const origin = app.get(Links, { strict: false }).inAnswer(addressOf(request));
    const asked = slug === undefined ? previews.ofOrg(orgSlug) : previews.ofCollection(orgSlug, slug, origin);
    const preview = await asked.catch(() => null);
    return preview && headOf(preview, `${origin}${request.path}`);
  };
}
