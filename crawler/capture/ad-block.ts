/** Hosts of advertising and its tracking; their subdomains are included. */
// prettier-ignore
const AD_HOSTS: readonly string[] = [
  '2mdn.net', '33across.com', 'adcolony.com', 'adform.net', 'adnxs.com', 'adroll.com', 'ads-twitter.com',
  'adsafeprotected.com', 'adsrvr.org', 'adsymptotic.com', 'adtechus.com', 'advertising.com', 'amazon-adsystem.com',
  'appnexus.com', 'bidswitch.net', 'bluekai.com', 'casalemedia.com', 'contextweb.com', 'criteo.com', 'criteo.net',
  'demdex.net', 'doubleclick.net', 'doubleverify.com', 'everesttech.net', 'exelator.com', 'exponential.com',
  'fwmrm.net', 'google-analytics.com', 'googleadservices.com', 'googlesyndication.com', 'googletagservices.com',
  'gumgum.com', 'id5-sync.com', 'imrworldwide.com', 'indexww.com', 'innovid.com', 'krxd.net', 'lijit.com', 'liadm.com',
  'mathtag.com', 'media.net', 'mediavine.com', 'mgid.com', 'moatads.com', 'mookie1.com', 'narrativ.com', 'openx.net',
  'outbrain.com', 'permutive.com', 'popads.net', 'propellerads.com', 'pubmatic.com', 'quantcount.com', 'quantserve.com',
  'revcontent.com', 'rfihub.com', 'rlcdn.com', 'rubiconproject.com', 'scorecardresearch.com', 'serving-sys.com',
  'sharethrough.com', 'simpli.fi', 'smaato.net', 'smartadserver.com', 'sonobi.com', 'spotxchange.com', 'stackadapt.com',
  'taboola.com', 'tapad.com', 'teads.tv', 'tremorhub.com', 'tribalfusion.com', 'turn.com', 'undertone.com', 'yieldmo.com',
  'zedo.com',
];

/** Tells which requests the workflow's `blockAds` refuses. */
export class AdBlock {
  private readonly hosts: ReadonlySet<string>;

  constructor(hosts: readonly string[] = AD_HOSTS) {
    this.hosts = new Set(hosts);
  }

  blocks(url: string): boolean {
    let host: string;
    try {
      host = new URL(url).hostname;
    } catch {
      return false;
    }
    while (host) {
      if (this.hosts.has(host)) return true;
      const dot = host.indexOf('.');
      host = dot < 0 ? '' : host.slice(dot + 1);
    }
    return false;
  }
}
