/** The longest template. A key segment holds 1024 bytes, and time, host and index have to fit beside the template. */
const MAX_LENGTH = 768;

/** Returns why a text cannot be the template of WACZ names, or null. Contract: crawling §4.1. */
export function filenameTemplateProblem(template: string): string | null {
  if ([...template].length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  if (/[\u0000-\u001f\u007f-\u009f]/.test(template)) return 'must not contain control characters';
  if (template.startsWith('/')) return 'must not start with /';
  if (template.split('/').some((part) => part === '.' || part === '..')) return 'must not contain . or .. as a path';
  return null;
}
