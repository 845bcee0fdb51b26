/** Invented persons that a tester can be at the bank. The attributes have the short names of the scheme. */
export type Persona = { id: string; label: string; attributes: Readonly<Record<string, string>> };

const home = {
  street: 'Voorbeeldstraat',
  houseno: '12',
  housenosuf: 'B',
  postalcode: '1234AB',
  city: 'Utrecht',
  country: 'NL',
};

const person = (initials: string, legallastname: string, dateofbirth: string, gender: string) => ({
  ...{ initials, legallastname, preferredlastname: legallastname, dateofbirth, gender },
  ...home,
});

export const personas: readonly Persona[] = [
  { id: 'plain', label: 'J. Jansen', attributes: person('J', 'Jansen', '19800412', '1') },
  {
    id: 'partner-name',
    label: 'A.M. de Vries-Bakker, with the name of a partner',
    attributes: {
      ...person('AM', 'Bakker', '19751130', '2'),
      preferredlastname: 'Vries',
      preferredlastnameprefix: 'de',
      partnerlastname: 'Vries',
      partnerlastnameprefix: 'de',
    },
  },
  {
    id: 'prefix',
    label: 'P. van der Berg, with a prefix',
    attributes: {
      ...person('P', 'Berg', '19910203', '1'),
      legallastnameprefix: 'van der',
      preferredlastnameprefix: 'van der',
    },
  },
  {
    id: 'foreign-address',
    label: 'M. Peeters, with an address in Belgium',
    attributes: {
      ...{ initials: 'M', legallastname: 'Peeters', preferredlastname: 'Peeters' },
      ...{ dateofbirth: '19680719', gender: '2', country: 'BE' },
      ...{ intaddressline1: 'Voorbeeldlaan 7', intaddressline2: '2000 Antwerpen', intaddressline3: 'België' },
    },
  },
  {
    id: 'unknown-birth-day',
    label: 'H. Yilmaz, born in 1962 on an unknown day',
    attributes: person('H', 'Yilmaz', '19620000', '9'),
  },
  {
    id: 'diacritics',
    label: 'Ş. Öztürk-Čapek, with letters beyond ASCII',
    attributes: person('Ş', 'Öztürk-Čapek & Søn', '19850523', '2'),
  },
  { id: 'minor', label: 'T. Visser, under 18', attributes: person('T', 'Visser', '20120101', '1') },
];

export const personaOf = (id: string | null): Persona =>
  personas.find((each) => each.id === id) ?? (personas[0] as Persona);
