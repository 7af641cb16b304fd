import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  readonly raw: string;
  readonly user: string | null;
  readonly secure: boolean;
  /** Of the envelope: `MAIL FROM`. */
  readonly from: string;
  readonly to: string[];
}

export interface SmtpUnderTest {
  readonly port: number;
  readonly mails: ReceivedMail[];
  close(): Promise<void>;
}

/** An SMTP server on loopback; with `login` it demands that name and password. */
export async function startSmtp({
  login,
  ...options
}: SMTPServerOptions & { login?: { user: string; password: string } } = {}): Promise<SmtpUnderTest> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    logger: false,
    authOptional: !login,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === login?.user && password === login?.password
        ? done(null, { user: username })
        : done(new Error('Invalid username or password')),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        const from = session.envelope.mailFrom ? session.envelope.mailFrom.address : '';
        const raw = Buffer.concat(chunks).toString();
        mails.push({ raw, user: session.user ? String(session.user) : null, secure: session.secure, from, to });
        done();
      });
    },
    ...options,
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
