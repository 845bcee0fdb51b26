import type { IncomeDocumentType } from '#contract/enums.ts';

/** The words by which papers name things, in plain letters (see `plain`). Dutch first, then English. */
export const labels = {
  gross:
    /^(?:totaal )?(?:bruto ?loon|bruto ?salaris|bruto|totaal bruto|bruto verdiensten|bruto totaal|gross|gross (?:pay|salary|wages?|earnings)|total (?:gross|earnings)|totale? brutoloon|brutoloon totaal|subtotaal bruto)(?: (?:deze periode|totaal|per (?:maand|periode|4 weken)|loon lh netto|this period|month(?:ly)?))*$/,
  net: /^(?:totaal )?(?:netto ?loon|netto ?salaris|netto|netto (?:te (?:ontvangen|betalen)|uitbetaling|uit te betalen|betaling|bedrag|uitbetaald)|uit te betalen(?: bedrag)?|te betalen|uitbetaling|uitbetaald|over te maken(?: bedrag)?|nettoloon totaal|net|net (?:pay|salary|wages?|payment|amount)|total net(?: pay)?|amount paid|take home pay)(?: deze periode| this period| totaal)?$/,
  taxable:
    /^(?:totaal )?(?:fiscaal loon|belastbaar loon|loon (?:voor )?(?:de )?(?:loonheffing|lh|loonbelasting|lb|zvw|sv|wnv)(?: .*)?|heffingsloon|tabelloon|sv ?loon|taxable (?:wages?|income|pay)|grondslag .*|premieloon)$/,
  payments:
    /^(?:totaal (?:betalingen|uitbetalingen|loon|verdiensten|bij|vergoedingen|toeslagen)|total (?:payments|pay))$/,
  deductions: /^(?:totaal (?:inhoudingen|af|aftrek|ingehouden)|total deductions?)$/,
  hourly: /^(?:bruto ?)?(?:uurloon|uurlonen|uursalaris|hourly (?:wage|rate|pay))(?: bruto)?$|^bruto uurloon$/,
  hours:
    /(?:contract ?uren|overeengekomen (?:arbeidsduur|uren)|arbeidsduur|uren per week|uren p w|uren week|contract(?:ual)? hours|agreed hours|hours per week|weekuren|arbeidsuren)/,
  minimum:
    /^(?:wettelijk )?(?:bruto )?min(?:imum)? ?(?:uur)?loon(?: wml)?(?: (?:per |p )?(?:uur|u))?$|^wml(?: uur| per uur)?$|^(?:statutory )?minimum wage(?: per hour)?$/,
  holiday: /(?:vakantie(?:geld|toeslag|bijslag)|holiday (?:allowance|pay))/,
  /** What is paid once, and tells nothing of the other periods of a year. */
  once: /(?:bonus|13e|13th|dertiende|eindejaar|eenmalig|gratificatie|provisie|commission|jubileum|one off)/,
  overtime: /(?:overwerk|overuren|overtime|meeruren)/,
  period:
    /(?:^| )(?:periode|tijdvak|loontijdvak|verloningsperiode|loonperiode|salarisperiode|salarismaand|pay period|period|verloning|maand|month)(?: |$)/,
  issued:
    /(?:datum (?:betaling|betaalbaar|uitbetaling|afgifte|verzending|opgemaakt|aanmaak)|betaal ?datum|verwerkingsdatum|uitbetaald op|payment date|pay date|issue date|date of issue|print ?datum|afdrukdatum|opgemaakt|(?:^| )datum|(?:^| )date)$|datum (?:bericht|opgave|beschikking)|aangemaakt op|betaald op|uit te betalen op|^uitbetaald$|wij betalen dit bedrag op/,
  /** Days that are not those on which a paper was made. */
  otherDay:
    /(?:geboor|geb |birth|dienst|ingang|eind|begin|start|geldig|valid|sinds|since|periode|tijdvak|period)/,
  citizenNumber: /^(?:\d+ )?(?:bsn|burgerservicenummer|bsn sofinummer|sofinummer|citizen service number)$/,
  wageTaxNumber:
    /^(?:\d+ )?(?:loonheffingen ?(?:nummer|nr)|loonheffingsnummer|lh (?:nummer|nr)|lhnr|wage tax (?:number|no)|payroll tax number)$/,
  account: /^(?:iban|op iban|rekening|rekeningnummer|bankrekening|bank ?account(?: number)?)$/,
  birth: /(?:geboorte ?datum|geb datum|geboren|date of birth|birth date)/,
  employer:
    /^(?:werkgever|naam werkgever|employer|employer name|inhoudingsplichtige|bedrijf|company|organisatie)$/,
  /** Labels of values that are no names. */
  number:
    /^(?:employee (?:id|number)|pers(?:oneels)? ?n(?:umme)?r|bsn.*|burgerservicenummer|citizen service number.*|kvk.*|bank ?account|iban|rekening|bankrekening|functie|afdeling|department|pers nr)$/,
  employee:
    /^(?:naam|werknemer|naam werknemer|medewerker|naam medewerker|employee|employee name|name|naam flexkracht|betrokkene|verzekerde|naam verzekerde|mevrouw|de heer)$/,
  /** Wages of a year, or of a row, that count for social insurance. */
  insuredWage: /(?:sv ?loon|loon sv|insured wage)/,
  annualWage:
    /(?:loon voor de (?:loonheffing|loonbelasting)|fiscaal (?:jaar)?loon|loon loonheffing|loon lb|loon volgens de loonstaat|taxable (?:annual )?(?:wage|income)|belastbaar loon)/,
  annualSalary:
    /(?:bruto ?jaar(?:salaris|loon|inkomen)|jaarsalaris|annual (?:gross )?(?:salary|wage|income))/,
} as const;

/** Headings of columns that are no amounts of this period. */
export const columns = {
  year: /(?:cumulatie|cumul|totaal jaar|jaar ?tot|dit jaar|t m (?:deze|heden)|ytd|year to date|jaarbedrag|vanaf 1 jan|^jaar$|^year$|^cum$)/,
  factor: /(?:uren|aantal|uurloon|tarief|percentage|%|hours|rate|quantity|grondslag|basis|eenheid|dagen)/,
  aside: /(?:tabel|fiscaal|belast|taxable|loon lh|bijz|werkgever|employer)/,
  minus: /(?:inhouding|aftrek|deduction|^af$|ingehouden)/,
} as const;

/** Kinds of lines of a slip. The first that fits counts. */
export const lines = {
  aside:
    /(?:werkgever|employer|reservering|gereserveerd|opgebouwd|opbouw|saldo|accrued|balance|reserve|minimumloon|minimum wage|wml|heffingskorting|bijtelling|loon voor|loon lh|loon sv|sv loon|fiscaal|belastbaar|taxable|tabelloon|heffingsloon|grondslag|jaarloon|^(?:percentage |tabel )?bijzonder tarief|30 ?%? (?:regeling|ruling)|company car|waarvan|of which|opgenomen|^(?:begin|eind)?stand$|cumulatie|year to date|verlof|vakantie(?:dagen|uren)|parttime|deeltijd|afdracht)/,
  deduction:
    /(?:loonheffing|loonbelasting|wage tax|income tax|payroll tax|pensioen|pension|wga|whk|wia|zvw|sociale|premie|aov|anw|hiaat|vakbond|vereniging|union|fonds|eigen bijdrage|inhouding|voorschot|advance|loonbeslag|contribution|levy|deduct|lening|loan|ingehouden|spaar|lh tabel|^lh$|paww|boete)/,
  addition:
    /(?:reiskosten|onkosten|thuiswerk|vergoeding|travel|expenses|home ?(?:work|office)|allowance net|declaratie|kilometer|commuting|netto toelage)/,
  earning:
    /(?:salaris|uitkering|loon|uren|overwerk|toeslag|vakantie|bonus|13e|eindejaar|provisie|gratificatie|ziek|correctie|salary|wage|overtime|sick|holiday|correction|commission|pay|gross|leave|feestdag|tegemoetkoming|toelage|ploegen|oproep|hours)/,
} as const;

/** Headings of sections of a slip, in plain letters. */
export const sections = {
  aside:
    /^(?:fiscaal|(?:alleen )?voor de loonheffing|taxable items.*|reserver.*|.*cumulatie.*|jaartotalen|.*year to date.*|werkgeverslasten|employer (?:costs|charges).*)$/,
  gross: /^(?:bruto ?loon|bruto|bruto(?: ?loon)? (?:betalingen|verdiensten)|betalingen|earnings|payments)$/,
  deduction: /^(?:inhoudingen|af|aftrek|deductions)$/,
  net: /^(?:bij|netto vergoedingen.*|onbelaste vergoedingen|net allowances.*)$/,
} as const;

const typeWords: readonly [IncomeDocumentType, RegExp][] = [
  ['uwv_statement', /verzekeringsbericht|uwv\b.*arbeidsverleden|employee insurance (?:statement|schemes)/],
  [
    'annual_statement',
    /jaaropgaa?f|jaaropgave|annual (?:income )?statement|jaarverklaring|year end statement/,
  ],
  [
    'employer_statement',
    /werkgeversverklaring|employers? (?:statement|declaration)|verklaring (?:van de )?werkgever|statement of (?:the )?employer/,
  ],
  [
    'payslip',
    /loonstrook|salarisstrook|salarisspecificatie|loonspecificatie|payslip|pay ?slip|salary (?:slip|specification)|loonbrief|specificatie salaris|loonstaat|verloning|wage slip|pay statement/,
  ],
];

/** A title with a space behind each letter is one word. */
function lettersJoined(text: string): string {
  const words: string[] = [];
  let isLetter = false;
  for (const word of text.split(' ')) {
    if (word.length === 1 && isLetter) words.push(`${words.pop() ?? ''}${word}`);
    else words.push(word);
    isLetter = word.length === 1;
  }
  return words.join(' ');
}

/** The type of paper whose word stands first. `text` is in plain letters. */
export function typeOf(text: string): IncomeDocumentType | null {
  const joined = lettersJoined(text);
  const found = typeWords.flatMap(([type, words]) => {
    const at = joined.search(words);
    return at < 0 ? [] : [{ type, at }];
  });
  return found.toSorted((one, other) => one.at - other.at)[0]?.type ?? null;
}
