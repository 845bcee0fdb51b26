import { type ParseArgsConfig, parseArgs } from 'node:util';
import { exitCodes, StartFault } from '#platform/failures.ts';

/** Prints a line of the result to standard output. */
export const print = (line: string) => void process.stdout.write(`${line}\n`);

/** Prints a note to standard error, so that a script can read standard output alone. */
export const note = (line: string) => void process.stderr.write(`${line}\n`);

/** Ends a command with exit code 64. The operator reads the reason, if any, and how the command is used. */
export const misused = (usage: string, reason?: string): StartFault =>
  new StartFault(reason === undefined ? usage : `${reason}\n${usage}`, exitCodes.usage);

/** Reads the command line. Throws `misused` if an option is unknown or its value is missing. */
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
