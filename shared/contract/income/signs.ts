/** The words by which the judge of documents says what it saw. The judge imports their types alone. */

export const unreadableReasons = [
  'not_a_pdf',
  'encrypted',
  'too_large',
  'too_many_pages',
  'too_complex',
  'damaged',
] as const;
export type UnreadableReason = (typeof unreadableReasons)[number];

/**
 * Why a word cannot be seen. `covered`: something opaque was drawn after it. `invisible`: it was drawn without ink. `unseen`: its place on
 * the page shows no difference of colour, for whatever reason.
 */
export const hiddenWays = ['covered', 'invisible', 'unseen'] as const;

/** Everything that the judge can point out, check by check. A page has a text for each. */
export const signs = [
  ...unreadableReasons,
  ...hiddenWays,
  'javascript',
  'launch',
  'embedded_file',
  'remote',
  'editor',
  'replaced',
  'print_over_print',
  'print_on_scan',
  'fonts_in_amount',
  'uneven_amount',
  'font_of_amount',
  'style_of_amount',
  'laid_over',
  'filled_field',
  'earlier_state_unreadable',
  'changed_later',
  'redrawn_later',
  'annotated_later',
  'modified_later',
  'dates_differ',
  'signature_missing',
  'signature_untrusted',
  'signature_broken',
  'signature_unknown',
  'added_after_signing',
  'no_text',
  'type_unknown',
  'missing',
  'type_not_wanted',
  'wage_tax_number',
  'chamber_number',
  'other_employer',
  'net_not_found',
  'gross_not_found',
  'net_sum',
  'gross_sum',
  'net_above_gross',
  'hours_times_rate',
  'line_left_out',
  'year_so_far',
  'insured_wage',
  'month_missing',
  'yearly_wage',
  'date_not_found',
  'year_not_found',
  'period_not_found',
  'period_reversed',
  'periods_differ',
  'paid_far_from_period',
  'too_old',
  'in_the_future',
  'below_minimum',
  'printed_minimum',
  'holiday_pay',
  'account_number',
  'name_partial',
  'name_mismatch',
  'another_person',
  'citizen_number_wrong',
  'citizen_numbers_differ',
  'citizen_number_found',
  'same_file_twice',
  'file_seen_before',
  'same_text_twice',
  'text_seen_before',
] as const;
export type SignName = (typeof signs)[number];

/** What a document should have and was not found, as `expected` of the sign `missing` names it. */
export const missingFields = ['employer', 'period', 'gross', 'net', 'minimum_wage', 'hours', 'date'] as const;
export type MissingField = (typeof missingFields)[number];
