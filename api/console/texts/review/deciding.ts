import type { Language } from '#contract/enums.ts';

const en = {
  approve: 'Approve',
  cannotApprove: 'Something that an approval confirms is not here any more, so nobody can approve.',
  confirm: 'I confirm:',
  /** Each reason that a reviewer can choose, as the reviewer says it. */
  confirms: {
    reviewer_accepts_document: 'I examined the document, and it is in order.',
    reviewer_accepts_likeness: 'I compared the face with the document, and they match.',
    reviewer_accepts_bank: 'I examined the identity attributes, and they are in order.',
    reviewer_accepts_income: 'I examined the documents, and they are in order.',
    reviewer_identified_other_way: 'I identified the person in another way.',
  } as Record<string, string>,
  reject: 'Reject',
  rejects: {
    reviewer_doubts_document: 'The document does not seem genuine.',
    reviewer_finds_contradiction: "The document's data contradict each other.",
    reviewer_finds_expired: 'The document has expired.',
    reviewer_cannot_read: 'I cannot read the pictures well enough.',
    reviewer_finds_other_face: 'The face is not the one on the document.',
    reviewer_doubts_face: 'The photo of the face was not taken of a living person.',
    reviewer_rejects_bank: 'The identity attributes are not in order.',
    reviewer_doubts_income_document: 'A document does not seem genuine.',
    reviewer_finds_income_contradiction: 'The amounts contradict each other.',
    reviewer_finds_other_person: 'The documents are not those of this person.',
    reviewer_did_not_identify: 'This person was not identified in another way.',
    reviewer_cannot_assess: 'The pictures are no longer kept, so I cannot assess them.',
  } as Record<string, string>,
  release: 'Give back to the queue',
  releaseText: 'Another member can then take it. Nothing is decided.',
  shortcuts: 'Keys: A and the digits tick, Enter sends, R goes to the reasons, Z enlarges the next picture.',
  faults: {
    approved: 'Tick that you confirm this, or choose a reason to reject.',
    rejected: 'Tick at least one reason. The partner receives it.',
  },
  switchOff: 'Switch off',
  takeBack: 'Take back',
  heldFor: 'Possible for another',
  seconds: 'seconds. Then the decision is carried out.',
  toDecision: 'To the decision',
  decision: 'Your decision',
};

const nl: typeof en = {
  approve: 'Goedkeuren',
  cannotApprove: 'Iets wat een goedkeuring bevestigt is er niet meer, dus niemand kan goedkeuren.',
  confirm: 'Ik bevestig:',
  confirms: {
    reviewer_accepts_document: 'Ik heb het document bekeken en het is in orde.',
    reviewer_accepts_likeness: 'Ik heb het gezicht met het document vergeleken en ze horen bij elkaar.',
    reviewer_accepts_bank: 'Ik heb de identiteitsgegevens bekeken en ze zijn in orde.',
    reviewer_accepts_income: 'Ik heb de documenten bekeken en ze zijn in orde.',
    reviewer_identified_other_way: 'Ik heb de identiteit op een andere manier vastgesteld.',
  } as Record<string, string>,
  reject: 'Afwijzen',
  rejects: {
    reviewer_doubts_document: 'Het document lijkt niet echt.',
    reviewer_finds_contradiction: 'De gegevens op het document spreken elkaar tegen.',
    reviewer_finds_expired: 'Het document is verlopen.',
    reviewer_cannot_read: 'Ik kan de foto’s niet goed genoeg lezen.',
    reviewer_finds_other_face: 'Het gezicht is niet dat van het document.',
    reviewer_doubts_face: 'De foto van het gezicht is niet van een aanwezige persoon gemaakt.',
    reviewer_rejects_bank: 'De identiteitsgegevens zijn niet in orde.',
    reviewer_doubts_income_document: 'Een document lijkt niet echt.',
    reviewer_finds_income_contradiction: 'De bedragen spreken elkaar tegen.',
    reviewer_finds_other_person: 'De documenten zijn niet van deze persoon.',
    reviewer_did_not_identify: 'Deze persoon heeft zich niet op een andere manier gelegitimeerd.',
    reviewer_cannot_assess: 'De foto’s worden niet meer bewaard, dus ik kan ze niet beoordelen.',
  } as Record<string, string>,
  release: 'Teruggeven aan de wachtrij',
  releaseText: 'Een ander lid kan deze dan nemen. Er is niets beslist.',
  shortcuts:
    'Toetsen: A en de cijfers vinken aan, Enter verstuurt, R gaat naar de redenen, Z vergroot de volgende foto.',
  faults: {
    approved: 'Vink aan dat u dit bevestigt, of kies een reden om af te wijzen.',
    rejected: 'Vink minstens één reden aan. De partner krijgt die te zien.',
  },
  switchOff: 'Uitzetten',
  takeBack: 'Terugnemen',
  heldFor: 'Dat kan nog',
  seconds: 'seconden. Daarna wordt de beslissing uitgevoerd.',
  toDecision: 'Naar de beslissing',
  decision: 'Uw beslissing',
};

export const decidingTexts: Record<Language, typeof en> = { en, nl };
