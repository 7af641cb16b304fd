/**
 * Ends the process when this Node is too old for the packages. Imported first, and written so that an old one can
 * read it.
 */
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `Muniment needs Node 20.19 or later; this is ${process.versions.node}. Install a newer one and try again.\n`,
  );
  process.exit(1);
}
