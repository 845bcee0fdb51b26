/** The form of a person who ticks everything that any method asks for. */
export const consented = 'consent=document&consent=face&consent=bank&consent=income';
