import { createPrivateKey } from 'node:crypto';

/** A signer of tests: a self-signed certificate for `signer.example`, valid for a century, and its key. */
export const SIGNER = {
  domain: 'signer.example',
  certificate: `-----BEGIN CERTIFICATE-----
MIIBozCCAUqgAwIBAgIUerXjRI+xpuOJlAmXCM9HhbUxe1wwCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOc2lnbmVyLmV4YW1wbGUwIBcNMjYxMTIxMjIwMDAxWhgPMjEy
NjEwMjgyMjAwMDFaMBkxFzAVBgNVBAMMDnNpZ25lci5leGFtcGxlMFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAEnPI9dj7SXy9cXPF2VkXhEOoVvy3aDjnyBezkY9BZ
modFw5faiCPbKtRO6tZqTJnZ5wTTGvQe4pQWV5PHy5vmQqNuMGwwHQYDVR0OBBYE
FI2fBaz7f1BvcdIa8Y/HlisAYfxuMB8GA1UdIwQYMBaAFI2fBaz7f1BvcdIa8Y/H
lisAYfxuMA8GA1UdEwEB/wQFMAMBAf8wGQYDVR0RBBIwEIIOc2lnbmVyLmV4YW1w
bGUwCgYIKoZIzj0EAwIDRwAwRAIgPM6dkeyO2vBA3/A1dpLR1/w6wUsHl8AfFiqp
TK3KFQICIEh2CGCYrwFB0AivDHPVGTYD7OD5M5WBp5570XZSGl5f
-----END CERTIFICATE-----
`,
  privateKey: createPrivateKey({
    key: Buffer.from(
      'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgyt8dcCvF9DYV2DmE2yNK5J7InRQwlTBY5gkZoS8VOv' +
        'GhRANCAASc8j12PtJfL1xc8XZWReEQ6hW/LdoOOfIF7ORj0Fmah0XDl9qII9sq1E7q1mpMmdnnBNMa9B7ilBZXk8fLm+ZC',
      'base64',
    ),
    format: 'der',
    type: 'pkcs8',
  }),
};
