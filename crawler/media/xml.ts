import { SaxesParser } from 'saxes';

export interface Element {
  /** Name without its prefix. */
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: Element[];
  text: string;
}

/** Returns the root of a small document. @throws the parser's error for text that is no XML */
export function parseXml(text: string): Element {
  const top: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element: Element = { name: name.slice(name.indexOf(':') + 1), attributes, children: [], text: '' };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => open.pop());
  parser.on('text', (part) => (open.at(-1)!.text += part));
  parser.on('cdata', (part) => (open.at(-1)!.text += part));
  parser.write(text).close();
  return top.children[0]!;
}
