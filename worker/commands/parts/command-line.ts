import { type ParseArgsConfig, parseArgs } from 'node:util';
import { exitCodes, StartFault } from '#platform/failures.ts';

/** A reader that has seen enough, such as `head`, goes away. The command then carries out its work without a reader. */
for (const stream of [process.stdout, process.stderr]) stream.on('error', unlessReaderLeft);

function unlessReaderLeft(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

export const print = (line: string) => void process.stdout.write(`${line}\n`);

/** Prints to standard error, so that a script finds only the result on standard output. */
export const note = (line: string) => void process.stderr.write(`${line}\n`);

/** The error that ends a command with exit code 64. The operator reads the reason, if there is one, and the usage. */
export const misused = (usage: string, reason?: string): StartFault =>
  new StartFault(reason === undefined ? usage : `${reason}\n${usage}`, exitCodes.usage);

/** Throws the error of `misused` if the arguments do not match `config`, for example if an option is unknown. */
export function readArguments<Config extends ParseArgsConfig>(
  config: Config,
  usage: string,
  reason?: string,
) {
  try {
    return parseArgs(config);
  } catch {
    throw misused(usage, reason);
  }
}
