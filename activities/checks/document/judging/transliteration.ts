/**
 * How the machine-readable zone writes letters that it does not have. Every row begins with letters that are written alike, and goes on
 * with their spellings. Issuing states may choose among several. Small letters are written as capital ones.
 */
export type Row = readonly [letters: string, ...spellings: string[]];

/** ICAO Doc 9303, part 3, eighth edition (2021), section 6, table A: letters of Latin alphabets. It is complete. */
export const latin: readonly Row[] = [
  ['ÀÁÂÃĀĂĄ', 'A'],
  ['Ä', 'AE', 'A'],
  ['Å', 'AA', 'A'],
  ['Æ', 'AE'],
  ['ÇĆĈĊČ', 'C'],
  ['ÐĎĐ', 'D'],
  ['ÈÉÊËĒĔĖĘĚ', 'E'],
  ['ĜĞĠĢ', 'G'],
  ['ĤĦ', 'H'],
  ['ÌÍÎÏĨĪĬĮİı', 'I'],
  ['Ĳ', 'IJ'],
  ['Ĵ', 'J'],
  ['Ķ', 'K'],
  ['ĹĻĽĿŁ', 'L'],
  ['Ñ', 'N', 'NXX'],
  ['ŃŅŇŊ', 'N'],
  ['ÒÓÔÕŌŎŐ', 'O'],
  ['Ö', 'OE', 'O'],
  ['Ø', 'OE'],
  ['Œ', 'OE'],
  ['ŔŖŘ', 'R'],
  ['ŚŜŞŠ', 'S'],
  ['ẞ', 'SS'],
  ['ŢŤŦ', 'T'],
  ['Þ', 'TH'],
  ['ÙÚÛŨŪŬŮŰŲ', 'U'],
  ['Ü', 'UE', 'UXX', 'U'],
  ['Ŵ', 'W'],
  ['ÝŶŸ', 'Y'],
  ['ŹŻŽ', 'Z'],
];

/**
 * The same, table B: Cyrillic letters. It is complete. What it allows to one language or at the beginning of a name is one more spelling. Its
 * row of 0402 shows the glyph of 040B, so both letters have this spelling.
 */
export const cyrillic: readonly Row[] = [
  ['Ё', 'E', 'IO'],
  ['ЂЋ', 'D'],
  ['Є', 'IE', 'YE'],
  ['Ѕ', 'DZ'],
  ['І', 'I'],
  ['Ї', 'I', 'YI'],
  ['Ј', 'J'],
  ['Љ', 'LJ'],
  ['Њ', 'NJ'],
  ['Ќ', 'K', 'KJ'],
  ['Ў', 'U'],
  ['Џ', 'DZ', 'DJ'],
  ['А', 'A'],
  ['Б', 'B'],
  ['В', 'V'],
  ['Г', 'G', 'H'],
  ['Д', 'D'],
  ['Е', 'E'],
  ['Ж', 'ZH', 'Z'],
  ['З', 'Z'],
  ['И', 'I', 'Y'],
  ['Й', 'I', 'Y'],
  ['К', 'K'],
  ['Л', 'L'],
  ['М', 'M'],
  ['Н', 'N'],
  ['О', 'O'],
  ['П', 'P'],
  ['Р', 'R'],
  ['С', 'S'],
  ['Т', 'T'],
  ['У', 'U'],
  ['Ф', 'F'],
  ['Х', 'KH', 'H'],
  ['Ц', 'TS', 'C'],
  ['Ч', 'CH', 'C'],
  ['Ш', 'SH', 'S'],
  ['Щ', 'SHCH', 'SHT'],
  ['Ъ', 'IE'],
  ['Ы', 'Y'],
  ['Э', 'E'],
  ['Ю', 'IU', 'YU'],
  ['Я', 'IA', 'YA'],
  ['Ѫ', 'U'],
  ['Ѵ', 'Y'],
  ['Ґ', 'G'],
  ['Ғ', 'G', 'GJ'],
  ['Һ', 'C'],
];

/**
 * What these tables do not have: O for Ø, as some states write it; characters for two letters, of Croatian; letters of Azerbaijani and Hausa;
 * the soft sign, which is left out; and letters of Serbian and Macedonian.
 */
export const further: readonly Row[] = [
  ['Ø', 'O'],
  ['Ǆ', 'DZ'],
  ['Ǉ', 'LJ'],
  ['Ǌ', 'NJ'],
  ['Ə', 'A'],
  ['Ɓ', 'B'],
  ['Ɗ', 'D'],
  ['Ƙ', 'K'],
  ['Ь', ''],
  ['Ћ', 'C'],
  ['Ѓ', 'GJ', 'G'],
];

/**
 * Letters of which the recogniser sees only that they have an accent, and takes it for another one. So each of them can have any of these
 * spellings.
 */
export const accented: readonly Row[] = [
  ['A', 'A', 'AE', 'AA'],
  ['N', 'N', 'NXX'],
  ['O', 'O', 'OE'],
  ['U', 'U', 'UE', 'UXX'],
];
