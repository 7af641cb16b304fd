interface TusRefusal {
  readonly status_code: number;
  readonly body: string;
}

/** What the protocol's server answers when an upload can't go on. Source: tus 1.0, "PATCH" and "Expiration". */
export const TUS_REFUSALS = {
  notFound: { status_code: 404, body: 'The file for this url was not found\n' },
  expired: { status_code: 410, body: 'The file for this url no longer exists\n' },
  otherOffset: { status_code: 409, body: 'Upload-Offset conflict\n' },
} as const satisfies Record<string, TusRefusal>;

/** Makes an error of the protocol's own answer; the tus server expects errors in this form. */
export const tusError = (refusal: TusRefusal): Error => Object.assign(new Error(refusal.body), refusal);
