/** What a WACZ says of itself, compared with what it is. Found by `wacz/`, kept with the file, shown with its URL. */
export interface PackageCheck {
  /** Null without a `datapackage.json` that could tell. */
  readonly intact: boolean | null;
  /** In words, the first ones. */
  readonly problems: string[];
  /** Null when it is not signed. */
  readonly signature: SignatureCheck | null;
}

/** Who signed a WACZ, and whether the signature is one of this package. */
export interface SignatureCheck {
  /** The signature is of the package's own `datapackage.json`, by the key that it names. */
  readonly valid: boolean;
  /** Of a signature with a certificate: the name in it. Whether its issuer is to be trusted is not looked at. */
  readonly domain: string | null;
  /** Of a signature with a bare key: the key, base64 of its SPKI form. */
  readonly publicKey: string | null;
  /** As stated. */
  readonly created: string | null;
  readonly software: string | null;
}
