/** The author and time of a write. */
export interface Actor {
  readonly userId: string;
  readonly now: Date;
}
