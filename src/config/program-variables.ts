/** Where programs are found, how they get out to the web, and whom they trust there. */
const NAMES = [
  'PATH',
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()]),
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'CURL_CA_BUNDLE', 'GIT_SSL_CAINFO', 'GIT_SSL_CAPATH', 'GIT_PROXY_SSL_CAINFO'],
];

/**
 * What the git program is given of this process' variables: nothing that is a setting or a secret of the service.
 * Certificates that are named for other programs are named for git as well.
 */
export function programVariables(variables: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const given = Object.fromEntries(
    NAMES.flatMap((name) => (variables[name] ? [[name, variables[name]] as const] : [])),
  );
  const bundle = given['GIT_SSL_CAINFO'] ?? given['SSL_CERT_FILE'] ?? given['CURL_CA_BUNDLE'];
  const folder = given['GIT_SSL_CAPATH'] ?? given['SSL_CERT_DIR'];
  return {
    ...given,
    ...(bundle ? { GIT_SSL_CAINFO: bundle } : {}),
    ...(folder ? { GIT_SSL_CAPATH: folder } : {}),
  };
}
