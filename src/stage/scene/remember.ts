/** Takes each message that a staged server sends wrong on purpose, with the reason; a sound one has none. */
export type Remember = (message: unknown, why: string | undefined) => void;
