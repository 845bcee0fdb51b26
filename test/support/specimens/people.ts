/** The specimen person of ICAO Doc 9303, and invented persons. None of them is a real person. */
export type Person = {
  surname: string;
  givenNames: string;
  nationality: string;
  number: string;
  birth: string;
  sex: 'F' | 'M' | '<';
  expiry: string;
};

export const eriksson: Person = {
  surname: 'ERIKSSON',
  givenNames: 'ANNA MARIA',
  nationality: 'UTO',
  number: 'L898902C3',
  birth: '1974-08-12',
  sex: 'F',
  expiry: '2032-04-15',
};

export const people: readonly Person[] = [
  eriksson,
  person('VAN DER ZEEBERG', 'WILLEM ALOIS', 'NLD', 'NW5B0K4R7', '1968-11-30', 'M', '2030-02-28'),
  person('QUILLFEATHER', 'ZOE', 'UTO', 'QZ8810O42', '1991-01-01', '<', '2027-12-31'),
  person('OSTERHAGEN', 'JONAS KLAUS', 'D', 'C01X00T47', '2001-07-09', 'M', '2034-10-03'),
  person('BRIGHTWATER', 'IMOGEN VITA', 'UTO', '518B26S05', '1985-05-25', 'F', '2029-06-17'),
  person('MOOSGAARD', 'SVEND', 'DNK', '208456319', '1959-03-04', 'M', '2028-08-08'),
  person('LINDQVARN', 'EBBA SIGRID', 'SWE', '90817263', '1999-12-24', 'F', '2031-09-19'),
  person('TESTMANN', 'GUDRUN', 'AUT', 'U7654321Z', '1977-10-10', 'F', '2027-03-02'),
  person('PLACEHOLDER', 'PAT', 'UTO', 'IO10SB582', '2004-02-29', 'M', '2033-11-11'),
  person('NIEMANDSZOON', 'ARIE JAN PIET', 'NLD', 'SPEC1V6N2', '1950-06-06', 'M', '2026-12-05'),
];

function person(
  surname: string,
  givenNames: string,
  nationality: string,
  number: string,
  birth: string,
  sex: Person['sex'],
  expiry: string,
): Person {
  return { surname, givenNames, nationality, number, birth, sex, expiry };
}
