/** A program that never reads what it is given. */
setInterval(() => undefined, 1_000);
