/** Where all our templates keep the earnings of earlier years (ledger 1.3). */
export const retainedCode = '3200';
