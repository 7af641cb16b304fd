/** An invite as it was just made; the token is only ever in the mail. */
export interface Invited {
  readonly invited: 'new_user' | 'existing_user';
  readonly token: string;
  /** As stored: decoded and lower case. */
  readonly email: string;
}
