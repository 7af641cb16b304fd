import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const CONFIG = (folder: string) => `
[req]
distinguished_name = dn
x509_extensions = ext
prompt = no
[dn]
CN = Test Time Authority
[ext]
basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature
extendedKeyUsage = critical,timeStamping
[tsa]
default_tsa = tsa1
[tsa1]
serial = ${folder}/serial
crypto_device = builtin
signer_cert = ${folder}/tsa.pem
certs = ${folder}/tsa.pem
signer_key = ${folder}/tsa.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
ess_cert_id_chain = no
ess_cert_id_alg = sha256
`;

/** Whether this machine can be a time-stamp authority. */
export function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['ts', '-help'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A time-stamp authority by RFC 3161, made with `openssl ts`. */
export class TestTsa {
  requests = 0;
  /** How it answers: as it should, with 503, or with the token of another text. */
  mood: 'well' | 'away' | 'wrong' = 'well';
  private server: Server | undefined;

  private constructor(private readonly folder: string) {}

  static async start(): Promise<TestTsa> {
    const folder = mkdtempSync(join(tmpdir(), 'muniment-tsa-'));
    const tsa = new TestTsa(folder);
    writeFileSync(join(folder, 'tsa.cnf'), CONFIG(folder));
    writeFileSync(join(folder, 'serial'), '01\n');
    const files = ['-config', join(folder, 'tsa.cnf'), '-keyout', join(folder, 'tsa.key'), '-out', tsa.certificate];
    await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '30000', ...files]);
    tsa.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        tsa.answer(Buffer.concat(chunks)).then(
          (body) => response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(body),
          () => response.writeHead(503).end(),
        );
      });
    });
    await new Promise<void>((resolve) => tsa.server?.listen(0, '127.0.0.1', resolve));
    return tsa;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server?.address() as AddressInfo).port)}/tsr`;
  }

  /** Path of the certificate that it signs with. */
  get certificate(): string {
    return join(this.folder, 'tsa.pem');
  }

  /** What `openssl ts -verify` says of a token of this text: the independent verifier. */
  async verifies(token: string, text: string): Promise<boolean> {
    const [tokenFile, textFile] = [join(this.folder, 'token.der'), join(this.folder, 'text')];
    writeFileSync(tokenFile, Buffer.from(token, 'base64'));
    writeFileSync(textFile, text);
    const files = ['-data', textFile, '-in', tokenFile, '-token_in', '-CAfile', this.certificate];
    return run('openssl', ['ts', '-verify', ...files]).then(
      () => true,
      () => false,
    );
  }

  async close(): Promise<void> {
    await new Promise((resolve) => this.server?.close(resolve));
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async answer(query: Buffer): Promise<Buffer> {
    this.requests += 1;
    if (this.mood === 'away') throw new Error('away');
    const [question, answer] = [join(this.folder, `${this.requests}.tsq`), join(this.folder, `${this.requests}.tsr`)];
    writeFileSync(question, query);
    if (this.mood === 'wrong')
      await run('openssl', ['ts', '-query', '-digest', 'ab'.repeat(32), '-sha256', '-cert', '-out', question]);
    const config = ['-config', join(this.folder, 'tsa.cnf'), '-queryfile', question];
    await run('openssl', ['ts', '-reply', ...config, '-out', answer]);
    return readFileSync(answer);
  }
}
