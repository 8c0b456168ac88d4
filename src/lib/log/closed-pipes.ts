/**
 * When the reader of standard output or standard error has ended, such as `head` or `tee` after Ctrl-C, what is written there is lost,
 * and the process continues: Node.js would throw an error that nobody can catch.
 */
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
