/** What a WACZ says of itself, compared with what it is. Found by `wacz/`, kept with the file, shown with its URL. */
export interface PackageCheck {
  /** Null without a `datapackage.json` that could tell. */
  intact: boolean | null;
  /** In words, the first ones. */
  problems: string[];
  /** Null when it is not signed. */
  signature: SignatureCheck | null;
}

/** Who signed a WACZ, and whether the signature is one of this package. */
export interface SignatureCheck {
  /** The signature is of the package's own `datapackage.json`, by the key that it names. */
  valid: boolean;
  /** Of a signature with a certificate: the name in it. Whether its issuer is to be trusted is not looked at. */
  domain: string | null;
  /** Of a signature with a bare key: the key, base64 of its SPKI form. */
  publicKey: string | null;
  /** As stated. */
  created: string | null;
  software: string | null;
}
