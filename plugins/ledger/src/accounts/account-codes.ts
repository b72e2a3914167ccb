/** The code of retained earnings in all templates (ledger 1.3). */
export const retainedCode = '3200';
