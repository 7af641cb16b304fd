const JWT = /eyJ[\w-]+\.[\w-]+\.[\w-]*/g;
const INVITE = /(\/(?:join|invite\/accept)\/)([0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12})/gi;

/** A mail's text for the log, with each character of a token replaced by x. Contract: accounts §13.2. */
export const masked = (text: string): string =>
  text
    .replace(JWT, (token) => 'x'.repeat(token.length))
    .replace(INVITE, (_, path: string, token: string) => path + 'x'.repeat(token.length));
