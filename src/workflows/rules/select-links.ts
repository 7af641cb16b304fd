import { createParser } from 'css-selector-parser';

const parse = createParser();

function isRule(rule: string): boolean {
  const parts = rule.split('->');
  const [selector, property] = parts;
  if (parts.length !== 2 || !selector?.trim() || !property?.trim()) return false;
  try {
    parse(selector);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether there is at least one link rule and all have the form `<css selector>-><property or @attribute>`. Contract:
 * crawling §4.3.
 */
export const areSelectLinks = (rules: readonly string[]): boolean => rules.length > 0 && rules.every(isRule);
