import { createHash } from 'node:crypto';
import postcss, { type ChildNode } from 'postcss';
import type { Plugin } from 'vite';

/** Classes of Mantine's parts, whose names are made of their content. */
const CLASS = /\.(m_[\da-z]+)/g;

/**
 * Leaves out what Mantine's style sheets say of parts that no code of the console has: a browser reads all rules before
 * it draws anything.
 */
export function withoutUnusedStyles(): Plugin {
  return {
    name: 'muniment-unused-styles',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const files = Object.values(bundle);
      const html = bundle['index.html'];
      const sheets = files.flatMap((file) => (file.type === 'asset' && file.fileName.endsWith('.css') ? [file] : []));
      const code = files.flatMap((file) => (file.type === 'chunk' ? [file.code] : [])).join('\n');
      for (const { fileName, source } of sheets) {
        if (html?.type !== 'asset' || code.includes(fileName)) throw new Error(`${fileName} is asked for by code.`);
        const used = usedBy(code, String(source));
        // Browsers keep a file for good by its name, and what is left of it changes with the code too.
        const named = fileName.replace(/-[^-]+\.css$/, `-${digest(used)}.css`);
        delete bundle[fileName];
        this.emitFile({ type: 'asset', fileName: named, source: used });
        html.source = String(html.source).replaceAll(fileName, named);
      }
    },
  };
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);

function usedBy(code: string, styles: string): string {
  const known = new Map<string, boolean>();
  const isKnown = (name: string): boolean => {
    const was = known.get(name) ?? code.includes(name);
    known.set(name, was);
    return was;
  };
  const sheet = postcss.parse(styles);
  sheet.walkRules((rule) => {
    const selectors = rule.selectors.filter((selector) => canMatch(selector, isKnown));
    if (selectors.length === 0) removeWithEmpty(rule);
    else if (selectors.length < rule.selectors.length) rule.selectors = selectors;
  });
  return sheet.toString();
}

/** What stands in parentheses may be one of several, so a selector with some goes only where nothing in it is known. */
function canMatch(selector: string, isKnown: (name: string) => boolean): boolean {
  const names = [...selector.matchAll(CLASS)].map(([, name = '']) => name);
  if (names.length === 0) return true;
  return selector.includes('(') ? names.some(isKnown) : names.every(isKnown);
}

function removeWithEmpty(node: ChildNode): void {
  const { parent } = node;
  node.remove();
  if (parent?.type === 'atrule' && parent.nodes?.length === 0) removeWithEmpty(parent as ChildNode);
}
