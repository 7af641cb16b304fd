/**
 * Loaded into the service before its own code: when the starter is gone, killed included, the service ends in order
 * instead of staying behind.
 */
if (process.channel) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}
// Programs that the service forks get its Node options; this one is not for them.
process.execArgv.splice(0, process.execArgv.length, ...withoutThisFile(process.execArgv));

function withoutThisFile(options) {
  const at = options.findIndex((option, i) => option === '--import' && options[i + 1] === import.meta.url);
  return at === -1 ? options : options.filter((_, i) => i !== at && i !== at + 1);
}
