/** A program that dies while it is given what it needs. */
process.stdin.once('data', () => process.exit(1));
