import { Typography } from '@mantine/core';
import createDOMPurify from 'dompurify';
import { Marked, type Token, type Tokens } from 'marked';
import { useMemo } from 'react';

/** What a description may be made of: text, links, lists, tables, pictures. No forms, frames, styles or scripts. */
const ALLOWED = {
  ALLOWED_TAGS: [
    ...['p', 'br', 'hr', 'h2', 'h3', 'h4', 'h5', 'h6', 'strong', 'em', 'del', 's', 'b', 'i', 'u', 'sub', 'sup', 'mark'],
    ...['a', 'ul', 'ol', 'li', 'blockquote', 'code', 'pre', 'img', 'span', 'div', 'details', 'summary'],
    ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  ALLOWED_ATTR: ['href', 'src', 'alt', 'title', 'start', 'colspan', 'rowspan', 'dir', 'lang'],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:)/i,
  ALLOW_DATA_ATTR: false,
};

/** An instance of our own: its hook holds for nobody else. */
const purifier = createDOMPurify(window);
purifier.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName === 'A') {
    node.setAttribute('target', '_blank');
    node.setAttribute('rel', 'noopener noreferrer nofollow');
  }
  if (node.tagName === 'IMG') {
    node.setAttribute('loading', 'lazy');
    node.setAttribute('referrerpolicy', 'no-referrer');
    if (!node.hasAttribute('alt')) node.setAttribute('alt', '');
  }
});

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading';

/** Headings begin below the page's own, without gaps. */
function adjustHeadings(tokens: readonly Token[]): void {
  const headings = tokens.filter(isHeading);
  const depths = [...new Set(headings.map(({ depth }) => depth))].sort((a, b) => a - b);
  for (const heading of headings) heading.depth = Math.min(6, depths.indexOf(heading.depth) + 2);
}

/** HTML in the text is shown as it was typed: it is a text, and what it would do would have to be taken out again. */
const asTyped = ({ text }: { readonly text: string }): string =>
  text.replace(/[&<>"]/g, (one) => `&#${String(one.codePointAt(0))};`);

const marked = new Marked({ gfm: true, breaks: true, renderer: { html: asTyped } });

/** Markdown as HTML in which nothing runs. */
export function htmlOf(text: string): string {
  const tokens = marked.lexer(text);
  adjustHeadings(tokens);
  return purifier.sanitize(marked.parser(tokens), ALLOWED);
}

/** Somebody's text in Markdown. Whoever wrote it is not trusted. */
export function Markdown({ text }: { readonly text: string }) {
  const html = useMemo(() => htmlOf(text), [text]);
  return <Typography dir="auto" style={{ overflowWrap: 'anywhere' }} dangerouslySetInnerHTML={{ __html: html }} />;
}
