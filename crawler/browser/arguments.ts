/**
 * Features Playwright itself switches off. Chromium obeys only the last `--disable-features`, so ours repeats them. A
 * test compares this list with the browser's command line.
 */
export const PLAYWRIGHT_DISABLED = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
] as const;

/**
 * Features that we switch off. With site isolation on, snapshots of a page miss its cross-origin frames. What Chromium
 * draws below its address bar is loaded with each window, by a process of 150 MB that a crawl has no use for.
 */
const OURS = [
  ...['IsolateOrigins', 'site-per-process', 'Translate', 'AcceptCHFrame', 'DownloadBubble'],
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
] as const;

export interface ArgumentOptions {
  readonly proxyUrl: string;
  readonly userAgent: string;
  readonly lang?: string;
  /** Replay needs web security off, because pages of one origin read another's. Crawls always keep it on. */
  readonly webSecurity: boolean;
}

/** The command-line arguments of Chromium. Design crawler.md §5. */
export function browserArguments(options: ArgumentOptions): string[] {
  const args = [
    '--disable-site-isolation-trials',
    `--disable-features=${[...PLAYWRIGHT_DISABLED, ...OURS].join(',')}`,
    '--disable-blink-features=AutomationControlled',
    '--autoplay-policy=no-user-gesture-required',
    '--mute-audio',
    '--disable-component-update',
    '--disable-background-networking',
    '--no-pings',
    '--password-store=basic',
    '--disable-dev-shm-usage',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    `--proxy-server=${options.proxyUrl}`,
    '--proxy-bypass-list=<-loopback>',
    `--user-agent=${options.userAgent}`,
  ];
  if (options.lang) args.push(`--lang=${options.lang}`);
  if (!options.webSecurity) args.push('--disable-web-security');
  return args;
}
