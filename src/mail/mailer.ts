/** A mail as it is sent; `html` empty = plain text only. */
export interface OutgoingMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export abstract class Mailer {
  /** Where mails go, for the log and `muniment mail test`. */
  abstract readonly target: string;

  /** @throws whatever the transport fails with; callers that must not fail use `Mails` */
  abstract send(mail: OutgoingMail): Promise<void>;
}
