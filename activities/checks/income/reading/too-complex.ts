/** The file has more than is read of one. */
export class TooComplex extends Error {
  override message = 'The file is too complex';
}
