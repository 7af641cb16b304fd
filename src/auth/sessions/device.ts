/** More says nothing about a device, and costs time. */
const READ_CHARACTERS = 512;
const LONGEST = 60;

/** Those that pretend to be others come first. */
const BROWSERS: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[^ ]* (?:Mobile\/\w+ )?Safari\//],
];
const SYSTEMS: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
];

/**
 * What a client says it is, in a few words: `Firefox 131, Linux`; of a tool its name and version, `curl/8.5.0`.
 * @param userAgent the header, which may be missing and may say anything
 */
export function deviceOf(userAgent: string | undefined): string {
  const text = (userAgent ?? '').slice(0, READ_CHARACTERS);
  const system = SYSTEMS.find(([, mark]) => mark.test(text))?.[0];
  for (const [name, mark] of BROWSERS) {
    const version = mark.exec(text)?.[1];
    if (version) return [`${name} ${version.slice(0, 6)}`, ...(system ? [system] : [])].join(', ');
  }
  // Printable ASCII only: it is shown, and written to tables.
  return (/^[!-~]+/.exec(text.trim())?.[0] ?? '').slice(0, LONGEST);
}
