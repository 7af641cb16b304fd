/** The first screen: where it is, where its data is, how to log in. The password is shown once, on the first start. */
export function printBanner({ url, dataDir, secrets, login }) {
  const firstStart = !secrets.superuserCreated;
  const password = firstStart && !process.env.SUPERUSER_PASSWORD ? secrets.superuserPassword : null;
  const lines = [
    '',
    `Muniment is running at ${url}`,
    `  data      ${dataDir}`,
    `  API       ${url}/api/docs`,
    `  links     ${process.env.APP_ORIGIN || url}   (in mails and webhooks; APP_ORIGIN sets it)`,
    `  log in    ${login.email}`,
  ];
  if (password) lines.push(`  password  ${password}   (shown only now; kept in ${dataDir}/secrets.json)`);
  lines.push('', 'Stop it with Ctrl-C.', '');
  process.stdout.write(`${lines.join('\n')}\n`);
}
