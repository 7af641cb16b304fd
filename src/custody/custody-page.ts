import { escapedHtml } from '../common/text/html.js';
import type { CustodyFile, CustodyOut, CustodySignature } from './dto/custody.dto.js';

const safe = (value: unknown): string => escapedHtml(String(value));

type Row = readonly [label: string, value: string | number | null];

const rows = (list: readonly Row[]): string =>
  list
    .filter(([, value]) => value !== null && value !== '')
    .map(([label, value]) => `<tr><th scope="row">${safe(label)}</th><td dir="auto">${safe(value)}</td></tr>`)
    .join('\n');

const table = (list: readonly Row[]): string => `<table>\n${rows(list)}\n</table>`;

const STYLE = `
body { font: 11pt/1.4 serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem; color: #111; background: #fff }
table { border-collapse: collapse; width: 100%; margin: 0 0 1rem; break-inside: avoid }
th, td { border: 1px solid #999; padding: .2rem .5rem; text-align: start; vertical-align: top; overflow-wrap: anywhere }
th { width: 30%; font-weight: normal; background: #f2f2f2 }
h1 { font-size: 16pt } h2 { font-size: 13pt; overflow-wrap: anywhere } footer { font-size: 9pt }
`;

/** One page to print, without scripts, pictures or links. @param nonce of its style, for the page's policy */
export function custodyPage(custody: CustodyOut, nonce: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Custody of ${safe(custody.name ?? custody.id)}</title>
<style nonce="${safe(nonce)}">${STYLE}</style></head>
<body>
<h1>Custody of ${safe(custody.name ?? custody.id)}</h1>
${table(itemRows(custody))}
${custody.files.map((file, i) => `<h2>File ${String(i + 1)}: ${safe(file.name)}</h2>\n${table(fileRows(file))}`).join('\n')}
<h2>Comparisons of all copies with their records</h2>
${custody.fixityRuns.length === 0 ? '<p>None yet.</p>' : table(custody.fixityRuns.map((run): Row => [run.lastVerified, run.result]))}
<h2>Downloads: ${safe(custody.downloadCount)}</h2>
${custody.downloads.length === 0 ? '<p>None.</p>' : table(custody.downloads.map((one): Row => [one.at, `${one.userName}: ${one.filename}`]))}
<footer><p>Checked ${safe(custody.checked)} by ${safe(custody.software)}. A signature shows who wrote a file and that
it is unchanged since, not that what the site said is true. The public keys of this service are at ${safe(custody.keys)}.
Files that players read in parts, by signed addresses, are not counted as downloads.</p></footer>
</body>
</html>
`;
}

const itemRows = (of: CustodyOut): Row[] => [
  ['Item', `${of.type} ${of.id}`],
  ['Organization', of.oid],
  ['State', of.deleted ? `${of.state}; is being deleted` : of.state],
  [of.type === 'upload' ? 'Sent by' : 'Started by', of.userName],
  ['Started', of.started],
  ['Finished', of.finished],
  ['First address', of.firstSeed],
  ['Pages', of.pageCount],
  ['Workflow', of.cid],
  ['Revision of its settings', of.workflowRevision],
  ['Crawler image', of.crawlerImage],
];

function fileRows(file: CustodyFile): Row[] {
  const { signature: signed, timeStamp: stamp } = file;
  return [
    ['Size', `${String(file.size)} bytes`],
    ['SHA-256', file.sha256],
    ['Stored in', file.storages.join(', ')],
    ['Crawler', file.software],
    ['Browser', file.browser],
    ['Signature', signed ? (signed.valid ? 'valid' : 'NOT VALID') : 'none'],
    ['Signed by', signed && signedBy(signed)],
    ['Where', signed && (signed.place === 'package' ? 'in the file' : 'in this record, of the hash of the whole file')],
    ['Key', signed?.keyId ?? null],
    ['Signed at', signed?.created ?? null],
    ['Signature, base64', signed?.signature ?? null],
    ['Public key, base64', signed?.publicKey ?? null],
    ['Time stamp', stamp && `${stamp.time}${stamp.valid ? '' : ', NOT VALID'}`],
    ['Time stamp by', stamp?.authority ?? null],
    ['Note', file.problem],
  ];
}

function signedBy({ by, domain, org }: CustodySignature): string {
  if (by === 'domain') return domain ?? '';
  if (org !== null) return `this service, with the key of ${org}`;
  return by === 'this service' ? 'this service' : 'the owner of a key that is not of this service';
}
