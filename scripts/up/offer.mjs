/** On a desktop: Enter opens the console in the browser. */

/** Whether somebody sits in front of the terminal, with a screen that a browser can open on. */
export function canOffer(input = process.stdin, output = process.stdout, env = process.env) {
  if (!input.isTTY || !output.isTTY || env.CI || env.SSH_CONNECTION) return false;
  return process.platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

/** Waits for Enter, once. Ctrl-C goes on ending the service. */
export function offerBrowser(url, say) {
  process.stdout.write('Press Enter to open it in your browser.\n');
  process.stdin.once('data', async () => {
    process.stdin.pause();
    const { default: open } = await import('open');
    await open(url).catch((error) => say(`No browser could be opened (${error.message}). Go to ${url} yourself.`));
  });
  process.stdin.unref?.();
}
