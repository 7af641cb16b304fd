/**
 * On the first start, the page where a person chooses the password: it knows the generated one from the link, whose part
 * after the # no server sees. Null when there is nothing to choose.
 */
export function setupLink({ url, secrets, login }) {
  if (secrets.superuserCreated || process.env.SUPERUSER_PASSWORD) return null;
  return `${url}/setup#${new URLSearchParams({ email: login.email, password: secrets.superuserPassword })}`;
}

/** The first screen: where it is, where its data is, how to log in. The password is shown once, on the first start. */
export function printBanner({ url, dataDir, secrets, login }) {
  const setup = setupLink({ url, secrets, login });
  const lines = [
    '',
    `Muniment is running at ${url}`,
    ...(setup ? [`  begin     ${setup}   (choose your password)`] : []),
    `  data      ${dataDir}`,
    `  API       ${url}/api/docs`,
    `  links     ${process.env.APP_ORIGIN || url}   (in mails and webhooks; APP_ORIGIN sets it)`,
    `  log in    ${login.email}`,
  ];
  if (setup)
    lines.push(`  password  ${secrets.superuserPassword}   (until you choose one; kept in ${dataDir}/secrets.json)`);
  lines.push('', 'Stop it with Ctrl-C.', '');
  process.stdout.write(`${lines.join('\n')}\n`);
}
