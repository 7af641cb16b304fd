/** An address of the web as people type it: `example.org` becomes `https://example.org/`. @returns null for none */
export function addressOf(typed: string): string | null {
  const text = typed.trim();
  if (!text || /\s/.test(text)) return null;
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  try {
    const url = new URL(whole);
    const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
    const isHost = url.hostname.includes('.') || url.hostname.includes(':') || url.hostname === 'localhost';
    return isWeb && isHost ? url.href : null;
  } catch {
    return null;
  }
}
