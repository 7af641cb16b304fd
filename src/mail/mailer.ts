/** A mail to send. An empty `html` means plain text only. */
export interface OutgoingMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export abstract class Mailer {
  /** The destination of mails, for the log and `muniment mail test`. */
  abstract readonly target: string;

  /** @throws the transport's errors; callers that must not fail use `Mails` */
  abstract send(mail: OutgoingMail): Promise<void>;
}
