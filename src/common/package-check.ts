/** What a WACZ says of itself, compared with its content. `wacz/` finds it, and it is kept and shown with the file. */
export interface PackageCheck {
  /** Null when no `datapackage.json` could tell. */
  readonly intact: boolean | null;
  /** The first problems, in words. */
  readonly problems: string[];
  /** Null when the package is not signed. */
  readonly signature: SignatureCheck | null;
}

/** Who signed a WACZ, and whether the signature belongs to this package. */
export interface SignatureCheck {
  /** The signature fits the package's own `datapackage.json` and the key that it names. */
  readonly valid: boolean;
  /** The name in the certificate of the signature, if it has one. Nobody checks whether its issuer is to be trusted. */
  readonly domain: string | null;
  /** The bare key of the signature, if it has one: base64 of its SPKI form. */
  readonly publicKey: string | null;
  /** The date that the signature states. */
  readonly created: string | null;
  readonly software: string | null;
}
