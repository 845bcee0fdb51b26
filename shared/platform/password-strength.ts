/** Guesses are tried in this many first characters. The rest of a long password can only make it stronger. */
const judgedLengthMax = 48;
/** From 0 (guessed at once) to 4. With 3, a stolen table of our slow hashes still protects the password. */
const scoreMin = 3;

type Judge = (password: string, known: string[]) => number;
let judge: Promise<Judge> | undefined;

/**
 * True if the password would be guessed soon by somebody who knows common passwords, words and names, and the words in `known`. The
 * dictionaries are loaded by the first call, because they take a second and 50 MB, and most processes never set a password.
 */
export async function isWeakPassword(password: string, known: readonly string[]): Promise<boolean> {
  judge ??= load();
  return (await judge)(password.slice(0, judgedLengthMax), [...known]) < scoreMin;
}

async function load(): Promise<Judge> {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ]);
  const factory = new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
  });
  return (password, known) => factory.check(password, known).score;
}
