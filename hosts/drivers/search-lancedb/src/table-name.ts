/** The name contains the version of the columns, so that a driver with other columns makes a table of its own. */
export const tableName = 'entries_2';
