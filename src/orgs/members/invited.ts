/** A new invite with its token. Only the token's hash is stored. */
export interface Invited {
  readonly invited: 'new_user' | 'existing_user';
  readonly token: string;
  /** The address as it is stored: decoded and in lower case. */
  readonly email: string;
}
