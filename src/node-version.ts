// Imported by programs before anything else, and free of syntax and imports that older versions of Node.js reject.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`Node.js 20.19 or later is required; this is ${process.version}.\n`);
  process.exit(1);
}
